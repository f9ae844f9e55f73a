package io.drey.files;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** The rule for names of files: plain, so that none leaves its directory. */
public final class FileNames {
    private FileNames() {}

    public static String check(String name) {
        boolean plain = !name.isEmpty() && !name.equals(".") && !name.equals("..");
        for (int i = 0; plain && i < name.length(); i++) {
            char c = name.charAt(i);
            plain = c != '/' && c != '\\' && c > ' ';
        }
        if (!plain) {
            throw new IllegalArgumentException("expected a plain file name without separators, found '" + name + "'");
        }
        return name;
    }

    /** The error for a file that is not there. */
    public static NoSuchFileException missing(String directory, String name) {
        return new NoSuchFileException(directory + "/" + name, null, "expected this file, found none of that name");
    }

    /** The error for a file that is there already. */
    public static FileAlreadyExistsException existing(String directory, String name) {
        return new FileAlreadyExistsException(
                directory + "/" + name, null, "expected no file of that name yet: files are written once");
    }
}
