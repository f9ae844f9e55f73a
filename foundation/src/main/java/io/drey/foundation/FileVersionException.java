package io.drey.foundation;

/** A file is of a format that this version of Drey does not read: too old, too new, or of another kind. */
public final class FileVersionException extends DreyException {
    private static final long serialVersionUID = 1L;

    public FileVersionException(String file, String expected, String found) {
        super("file " + file + " cannot be read by this version: expected " + expected + ", found " + found
                + "; use a version of Drey that reads it");
    }
}
