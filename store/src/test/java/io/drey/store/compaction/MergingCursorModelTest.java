package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.entry.EntryKind;
import io.drey.store.run.RandomEntries;
import io.drey.store.run.TestCursor;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import io.drey.testkit.Seeds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Compacted layers of entries against layers applied to a map one by one. */
class MergingCursorModelTest {
    @Test
    void compactionsToTheBottomInOneStepAndInTwo() {
        Seeds.cases(1500, seed -> {
            Random random = new Random(seed);
            List<Collection<TestEntry>> layers = layers(random, random.nextInt(12), 1 + random.nextInt(120));
            try (TestRuns runs = new TestRuns();
                    MergingCursor cursor = new MergingCursor(runs.memory())) {
                check(layers, cursor, random);
            }
        });
    }

    @Test
    void compactionsHundredsOfInputs() {
        Seeds.cases(10, seed -> {
            Random random = new Random(seed);
            try (TestRuns runs = new TestRuns();
                    MergingCursor cursor = new MergingCursor(runs.memory())) {
                check(layers(random, 300, 20), cursor, random);
            }
        });
    }

    /** Youngest first. */
    private static List<Collection<TestEntry>> layers(Random random, int count, int entries) {
        RandomEntries world = new RandomEntries(random);
        List<Collection<TestEntry>> layers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            layers.add(world.entries(entries).values());
        }
        return layers;
    }

    private static void check(List<Collection<TestEntry>> layers, MergingCursor cursor, Random random) {
        TreeMap<TestEntry.Address, byte[]> values = new TreeMap<>();
        List<Collection<TestEntry>> oldestFirst = new ArrayList<>(layers);
        Collections.reverse(oldestFirst);
        oldestFirst.forEach(layer -> TestLayers.apply(layer, values));
        List<TestEntry> expected = TestLayers.asEntries(values);
        assertThat(compaction(layers, cursor, true)).isEqualTo(expected);

        // What a compaction that is not at the bottom leaves, means the same above whatever is below.
        int from = random.nextInt(layers.size() + 1);
        int to = from + random.nextInt(layers.size() - from + 1);
        List<TestEntry> middle = compaction(layers.subList(from, to), cursor, false);
        for (int i = 1; i < middle.size(); i++) {
            assertThat(middle.get(i - 1).address()).isLessThan(middle.get(i).address());
        }
        List<Collection<TestEntry>> reduced = new ArrayList<>(layers.subList(0, from));
        reduced.add(middle);
        reduced.addAll(layers.subList(to, layers.size()));
        assertThat(compaction(reduced, cursor, true)).isEqualTo(expected);
        checkNoIdleTombstones(middle);
    }

    /** In a row with a tombstone the tombstones of its entries hide nothing that it does not. */
    private static void checkNoIdleTombstones(List<TestEntry> entries) {
        TestEntry.Address row = null;
        for (TestEntry entry : entries) {
            if (entry.kind() == EntryKind.ROW_TOMBSTONE) {
                row = entry.address();
            } else if (entry.address().row().equals(row)) {
                assertThat(entry.kind()).isEqualTo(EntryKind.VALUE);
            }
        }
    }

    private static List<TestEntry> compaction(
            List<Collection<TestEntry>> layers, MergingCursor cursor, boolean bottom) {
        cursor.begin(bottom);
        for (Collection<TestEntry> layer : layers) {
            cursor.addOlder(layer.isEmpty() ? null : new TestCursor(layer));
        }
        return TestCursor.drain(cursor);
    }
}
