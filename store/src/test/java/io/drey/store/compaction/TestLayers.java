package io.drey.store.compaction;

import io.drey.store.entry.EntryKind;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** What layers of entries mean: a plain map, to which each layer is applied from the oldest to the youngest. */
final class TestLayers {
    private TestLayers() {}

    /** Applies the entries of one layer to the values of all older ones. */
    static void apply(Collection<TestEntry> layer, TreeMap<TestEntry.Address, byte[]> values) {
        for (TestEntry entry : layer) {
            switch (entry.kind()) {
                case EntryKind.VALUE -> values.put(entry.address(), entry.value());
                case EntryKind.APPEND -> values.merge(entry.address(), entry.value(), TestLayers::concatenate);
                case EntryKind.TOMBSTONE -> values.remove(entry.address());
                case EntryKind.ROW_TOMBSTONE -> removeRow(entry.address(), values);
                default -> throw new AssertionError("kind " + entry.kind());
            }
        }
    }

    private static void removeRow(TestEntry.Address row, TreeMap<TestEntry.Address, byte[]> values) {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        values.forEach((address, value) -> entries.put(address, new TestEntry(address, EntryKind.VALUE, value)));
        TestRuns.row(entries, row).forEach(entry -> values.remove(entry.address()));
    }

    static List<TestEntry> asEntries(TreeMap<TestEntry.Address, byte[]> values) {
        List<TestEntry> entries = new ArrayList<>();
        values.forEach((address, value) -> entries.add(new TestEntry(address, EntryKind.VALUE, value)));
        return entries;
    }

    private static byte[] concatenate(byte[] a, byte[] b) {
        byte[] both = new byte[a.length + b.length];
        System.arraycopy(a, 0, both, 0, a.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
