package io.drey.cli.terminal;

import picocli.CommandLine.Model.CommandSpec;

/** The sentence for an option with a value that it cannot have. */
public final class WrongValue {
    private WrongValue() {}

    /** The sentence, or null if the value is right. */
    public static String unless(boolean right, String option, String expected, Object found) {
        return right ? null : "Wrong value for " + option + ": expected " + expected + ", found " + found + ".";
    }

    /** The same of a value with a unit, as the user wrote it. */
    public static String unless(boolean right, String option, String expected, CommandSpec spec) {
        return unless(
                right,
                option,
                expected,
                String.join(",", spec.findOption(option).originalStringValues()));
    }

    /** The first sentence that there is, or null. */
    public static String first(String... sentences) {
        for (String sentence : sentences) {
            if (sentence != null) {
                return sentence;
            }
        }
        return null;
    }
}
