package io.drey.jobs.data;

import java.util.HashMap;
import java.util.Map;

/** Keeps one copy of each text and numbers the texts in the order of their first appearance. */
final class Interner {
    private record Entry(String text, int index) {}

    private final Map<String, Entry> entries = new HashMap<>();

    String same(String text) {
        return entry(text).text();
    }

    int index(String text) {
        return entry(text).index();
    }

    private Entry entry(String text) {
        Entry known = entries.get(text);
        if (known == null) {
            known = new Entry(text, entries.size());
            entries.put(text, known);
        }
        return known;
    }
}
