package io.drey.bench.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The color of each contender. The colors differ in lightness as well as in hue, so that they can be told apart by
 * color-blind people and on paper; a known contender has the same color in every report.
 */
final class Palette {
    private static final List<String> KNOWN = List.of(
            "drey",
            "hashmap",
            "rocksdb-tuned",
            "rocksdb",
            "forst",
            "changelog-rocksdb",
            "changelog-hashmap",
            "no-state");

    /** Colors of contenders beyond the known ones. */
    private static final int MORE = 3;

    private final Map<String, String> styles = new HashMap<>();

    Palette(List<String> contenders) {
        int strangers = 0;
        for (String contender : contenders) {
            int known = KNOWN.indexOf(contender);
            styles.put(contender, "c" + (known >= 0 ? known : KNOWN.size() + strangers++ % MORE));
        }
    }

    /** The CSS class of a contender. */
    String style(String contender) {
        return styles.get(contender);
    }
}
