package io.drey.foundation;

/** A file does not hold what was written into it; another copy of it may. */
public final class CorruptFileException extends DreyException {
    private static final long serialVersionUID = 1L;

    private final String file;

    public CorruptFileException(String file, long offset, String expected, String found) {
        super("file " + file + " is damaged at byte " + offset + ": expected " + expected + ", found " + found
                + "; restore it from another copy or from an older checkpoint");
        this.file = file;
        FileFaults.found();
    }

    /** The file's name in its directory. */
    public String file() {
        return file;
    }
}
