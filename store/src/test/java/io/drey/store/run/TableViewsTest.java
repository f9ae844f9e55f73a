package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.block.Compression;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.filter.FilterLayout;
import io.drey.store.filter.FilterProbe;
import io.drey.store.tuning.ReadThresholds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Where the pages of filters are is guessed, and the guess may be as wrong as keys may be unevenly spread. */
final class TableViewsTest {
    private static final int ENTRIES = 20_000;
    private static final int KEYS = 400_000;
    private static final byte[] NONE = new byte[0];

    private final TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();

    @Test
    void mapsFarBehindTwoThatLieCloseAndFillManyPagesAreAskedFor() throws IOException {
        String[] close = closest();
        for (int i = 0; i < ENTRIES; i++) {
            add(key(1, 3, close[0], i));
            add(key(1, 3, close[1], i));
        }
        add(key(2, 3, "behind", 0));
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 100, runs.arena());
                FrameCache filters = new FrameCache(4096, 500, runs.arena());
                Run run = runs.write(entries.values(), new RunOptions(4096, 512, 64 << 10, Compression.LZ4));
                ReadSession session =
                        ReadSession.owner(runs.memory(), new Caches(blocks, null, filters, ReadThresholds.ANY), 4096)) {
            TableViews views = new TableViews(List.of(RunView.of(run)), 1);
            for (int keyGroup = 0; keyGroup < EntryKey.TABLES_MAX; keyGroup++) {
                check(RunView.of(run), views, key(1, keyGroup, "absent", 0), session);
            }
            check(RunView.of(run), views, key(1, 3, close[0], 0), session);
            check(RunView.of(run), views, key(1, 3, close[1], 0), session);
        }
    }

    private void check(RunView view, TableViews views, EntryKey key, ReadSession session) {
        boolean isThere = entries.containsKey(TestEntry.address(key));
        // Brings the page into memory.
        boolean mayHold = view.mayHoldRow(key, session);
        FilterProbe probe = new FilterProbe();
        probe.begin(FilterLayout.hash(key.rowHash(), key.table()));
        views.probe(key, session, probe);
        probe.ask();

        assertThat(mayHold || !isThere).isTrue();
        assertThat(probe.mayHold(0) || !isThere).isTrue();
    }

    /** Two keys whose prefixes are next to each other, or nearly. */
    private static String[] closest() {
        TreeMap<Long, String> byPrefix = new TreeMap<>();
        for (int i = 0; i < KEYS; i++) {
            byPrefix.put(key(1, 3, "key" + i, 0).prefix(), "key" + i);
        }
        Map.Entry<Long, String> before = byPrefix.firstEntry();
        long least = Long.MAX_VALUE;
        String[] closest = new String[2];
        for (Map.Entry<Long, String> next :
                byPrefix.tailMap(before.getKey(), false).entrySet()) {
            if (next.getKey() - before.getKey() < least) {
                least = next.getKey() - before.getKey();
                closest[0] = before.getValue();
                closest[1] = next.getValue();
            }
            before = next;
        }
        assertThat(least).isLessThan(10);
        return closest;
    }

    private void add(EntryKey key) {
        TestEntry.Address address = TestEntry.address(key);
        entries.put(address, new TestEntry(address, EntryKind.VALUE, new byte[8]));
    }

    private static EntryKey key(int table, int keyGroup, String key, int entry) {
        byte[] mapKey = ("entry" + entry).getBytes(StandardCharsets.UTF_8);
        return TestEntry.key(table, keyGroup, key.getBytes(StandardCharsets.UTF_8), NONE, mapKey);
    }
}
