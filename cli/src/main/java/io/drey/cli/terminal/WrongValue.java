package io.drey.cli.terminal;

/** The sentence for an option with a value that it cannot have. */
public final class WrongValue {
    private WrongValue() {}

    public static String of(String option, String expected, Object found) {
        return "Wrong value for " + option + ": expected " + expected + ", found " + found + ".";
    }
}
