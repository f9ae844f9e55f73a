package io.drey.cli.terminal;

import java.util.regex.Pattern;

/** A text as a sentence. */
public final class Sentence {
    private static final Pattern END = Pattern.compile("[.?!]$");

    private Sentence() {}

    /** With a full stop, unless it has an end. */
    public static String ended(String text) {
        return END.matcher(text).find() ? text : text + ".";
    }
}
