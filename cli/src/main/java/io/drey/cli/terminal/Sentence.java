package io.drey.cli.terminal;

import java.nio.file.FileSystemException;
import java.util.regex.Pattern;

/** A text as a sentence. */
public final class Sentence {
    private static final Pattern END = Pattern.compile("[.?!]$");

    private Sentence() {}

    /** What a failure says. */
    public static String of(Exception failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        String text = failure instanceof FileSystemException
                ? "A file cannot be read: " + failure.getClass().getSimpleName() + ": " + message
                : message;
        return Character.toUpperCase(text.charAt(0)) + ended(text.substring(1));
    }

    /** With a full stop, unless it has an end. */
    public static String ended(String text) {
        return END.matcher(text).find() ? text : text + ".";
    }
}
