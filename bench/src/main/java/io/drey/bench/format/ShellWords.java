package io.drey.bench.format;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes commands as a shell reads them. */
public final class ShellWords {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,@%+-]+");

    private ShellWords() {}

    /** A word, in quotes if a shell would do something with it. */
    public static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The words of a command. */
    public static String text(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }
}
