package io.drey.flink.state.options;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** Finds keys that look like options of Drey and are none: a value that was mistyped does nothing, silently. */
public final class UnknownOptions {
    private static final List<String> PREFIXES = List.of("state.backend.drey.", "state.changelog.drey.");

    private UnknownOptions() {}

    /** A sentence for each such key of a configuration, with the option that is nearest to it. */
    public static List<String> sentences(Collection<String> keys) {
        List<String> known = DreyOptions.ALL.stream().map(ConfigOption::key).toList();
        List<String> sentences = new ArrayList<>();
        for (String key : keys.stream().sorted().toList()) {
            if (PREFIXES.stream().anyMatch(key::startsWith) && !known.contains(key)) {
                sentences.add(
                        "There is no option " + key + ", it does nothing; the nearest is " + nearest(key, known) + ".");
            }
        }
        return sentences;
    }

    private static String nearest(String key, List<String> known) {
        String nearest = known.get(0);
        for (String candidate : known) {
            if (edits(key, candidate) < edits(key, nearest)) {
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Letters to insert, delete or replace to make one text of the other. */
    static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
