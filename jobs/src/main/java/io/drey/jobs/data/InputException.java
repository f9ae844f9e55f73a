package io.drey.jobs.data;

import java.io.IOException;

/**
 * The input cannot be read: a file is missing or is not what it should be. The message is one sentence for a user and
 * names the file, the line, what was expected and what was found.
 */
public final class InputException extends IOException {
    private static final long serialVersionUID = 1L;

    /** How much of a wrong value the message repeats. */
    private static final int FOUND_CHARS_MAX = 80;

    private InputException(String message, Throwable cause) {
        super(message, cause);
    }

    static InputException missing(String file, String advice) {
        return new InputException("The input file " + file + " does not exist or cannot be read: " + advice, null);
    }

    static InputException malformed(String file, long line, String expected, String found) {
        return malformed(file, line, expected, found, null);
    }

    static InputException malformed(String file, long line, String expected, String found, Throwable cause) {
        String shown = found.length() <= FOUND_CHARS_MAX ? found : found.substring(0, FOUND_CHARS_MAX) + "...";
        return new InputException(
                "The input file " + file + " is malformed at line " + line + ": expected " + expected + ", found "
                        + shown + ".",
                cause);
    }
}
