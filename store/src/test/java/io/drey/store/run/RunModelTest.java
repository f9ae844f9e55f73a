package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.filter.FilterLayout;
import io.drey.store.filter.FilterProbe;
import io.drey.store.inspect.RunVerifier;
import io.drey.store.tuning.ReadThresholds;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random runs, views of them and every way to read them, against a sorted map. */
@Tag(Effort.TAG)
class RunModelTest {
    private static final int CASES = 1500;

    @Test
    void readsEqualTheModel() {
        AtomicInteger absentByProbe = new AtomicInteger();
        Seeds.cases(CASES, seed -> new Case(new Random(seed), absentByProbe).run());
        assertThat(absentByProbe).hasPositiveValue();
    }

    private static final class Case {
        private final Random random;
        private final RandomEntries world;
        private final RunOptions options;
        private final TreeMap<TestEntry.Address, TestEntry> entries;
        private final AtomicInteger absentByProbe;

        Case(Random random, AtomicInteger absentByProbe) {
            this.random = random;
            this.absentByProbe = absentByProbe;
            this.world = new RandomEntries(random);
            this.options = world.options();
            this.entries = world.entries(random.nextInt(random.nextInt(4) == 0 ? 2000 : 200));
        }

        void run() throws IOException {
            try (TestRuns runs = new TestRuns(random.nextBoolean() ? 4 << 20 : 64 << 10, 256 << random.nextInt(4))) {
                FrameCache blocks = cache(runs, options.blockBytes());
                CompressedBlockCache compressed = new CompressedBlockCache(random.nextInt(20), runs.arena());
                FrameCache filters = cache(runs, options.pageBytes());
                Caches caches = new Caches(
                        blocks, compressed, filters, random.nextBoolean() ? ReadThresholds.ANY : TestRuns.NEVER_SLOW);
                boolean compresses = random.nextBoolean();
                Run run = compresses
                        ? runs.writeCompressed(entries.values(), options)
                        : runs.write(entries.values(), options);
                try (run;
                        blocks;
                        compressed;
                        filters;
                        ReadSession owner = ReadSession.owner(runs.memory(), caches, random.nextInt(2000));
                        ReadSession background = ReadSession.background(runs.memory(), random.nextInt(2000))) {
                    checkInfo(run);
                    RunVerifier.verify(run, background);
                    background.decompressValues(compresses);
                    checkView(RunView.of(run), entries, owner, background);
                    for (int i = 0; i < 3; i++) {
                        checkRandomView(run, owner, background);
                        blocks.shrink(random.nextInt(8));
                        compressed.shrink(random.nextInt(8));
                        compressed.limit(random.nextInt(20));
                        filters.shrink(random.nextInt(8));
                    }
                    blocks.forget(run.number());
                    compressed.forget(run.number());
                    filters.forget(run.number());
                }
            }
        }

        private FrameCache cache(TestRuns runs, int frameBytes) {
            // Frames smaller than blocks or pages are of no use to them, but must do no harm.
            int bytes = random.nextInt(5) == 0 ? Math.max(64, frameBytes / 2) : frameBytes;
            return new FrameCache(bytes, 1 + random.nextInt(20), runs.arena());
        }

        private void checkInfo(Run run) {
            RunInfo info = run.info();
            assertThat(info.entries()).isEqualTo(entries.size());
            if (!entries.isEmpty()) {
                assertThat(info.firstPrefix()).isEqualTo(entries.firstKey().prefix());
                assertThat(info.lastPrefix()).isEqualTo(entries.lastKey().prefix());
                assertThat(info.keyGroupMin())
                        .isEqualTo(entries.keySet().stream()
                                .mapToInt(TestEntry.Address::keyGroup)
                                .min()
                                .getAsInt());
            }
            for (TableCount count : info.tables()) {
                List<TestEntry> table = entries.values().stream()
                        .filter(entry -> entry.address().table() == count.table())
                        .toList();
                assertThat(count.entries()).isEqualTo(table.size());
                assertThat(count.rowTombstones())
                        .isEqualTo(table.stream()
                                .filter(entry -> entry.kind() == EntryKind.ROW_TOMBSTONE)
                                .count());
            }
        }

        private void checkRandomView(Run run, ReadSession owner, ReadSession background) {
            int keyGroupFrom = random.nextInt(2) * random.nextInt(400);
            int keyGroupTo = random.nextBoolean() ? 65535 : keyGroupFrom + random.nextInt(300);
            RunView view = RunView.of(run)
                    .clipPrefixes(random.nextBoolean() ? 0 : world.prefix(entries), RunView.NO_END)
                    .clipPrefixes(0, random.nextBoolean() ? RunView.NO_END : world.prefix(entries))
                    .clipKeyGroups(keyGroupFrom, keyGroupTo);
            TreeMap<TestEntry.Address, TestEntry> visible = new TreeMap<>(entries);
            visible.keySet()
                    .removeIf(address -> address.keyGroup() < keyGroupFrom
                            || address.keyGroup() > keyGroupTo
                            || !isIn(address.prefix(), view.prefixFrom(), view.prefixTo()));
            checkView(view, visible, owner, background);
        }

        private static boolean isIn(long prefix, long from, long to) {
            return Long.compareUnsigned(prefix, from) >= 0 && (to == 0 || Long.compareUnsigned(prefix, to) < 0);
        }

        private void checkView(
                RunView view,
                TreeMap<TestEntry.Address, TestEntry> visible,
                ReadSession owner,
                ReadSession background) {
            if (view.bytes() == 0) {
                assertThat(visible).isEmpty();
            }
            if (!visible.isEmpty()) {
                assertThat(Long.compareUnsigned(
                                view.firstPrefix(), visible.firstKey().prefix()))
                        .isNotPositive();
                assertThat(Long.compareUnsigned(
                                view.lastPrefix(), visible.lastKey().prefix()))
                        .isNotNegative();
            }
            assertSame(view.range(0, RunView.NO_END, background), visible.values());
            assertSame(view.range(0, RunView.NO_END, owner), visible.values());
            for (int i = 0; i < 40; i++) {
                ReadSession session = random.nextInt(4) == 0 ? background : owner;
                switch (random.nextInt(6)) {
                    case 0 -> checkRange(view, visible, session);
                    case 1 -> checkKeyGroup(view, visible, session);
                    case 2 -> checkRow(view, visible, session);
                    default -> checkFind(view, visible, session);
                }
            }
        }

        private void checkRange(RunView view, TreeMap<TestEntry.Address, TestEntry> visible, ReadSession session) {
            long from = world.prefix(entries);
            long to = random.nextInt(3) == 0 ? RunView.NO_END : world.prefix(entries);
            List<TestEntry> expected = visible.values().stream()
                    .filter(entry -> isIn(entry.address().prefix(), from, to))
                    .toList();
            assertSame(view.range(from, to, session), expected);
        }

        private void checkKeyGroup(RunView view, TreeMap<TestEntry.Address, TestEntry> visible, ReadSession session) {
            EntryKey key = world.key();
            List<TestEntry> expected = visible.values().stream()
                    .filter(entry -> entry.address().table() == key.table()
                            && entry.address().keyGroup() == key.keyGroup())
                    .toList();
            assertSame(view.keyGroups(key.table(), key.keyGroup(), key.keyGroup(), session), expected);
        }

        private void checkRow(RunView view, TreeMap<TestEntry.Address, TestEntry> visible, ReadSession session) {
            EntryKey key = world.key();
            TestEntry.Address address = TestEntry.address(key);
            Collection<TestEntry> row = TestRuns.row(visible, address);
            if (!row.isEmpty()) {
                assertThat(view.mayHoldRow(key, session)).isTrue();
            }
            checkProbe(view, key, session, row.isEmpty());
            if (!key.isMapEntry()) {
                assertSame(view.row(key, session), row);
                return;
            }
            List<TestEntry> after = new ArrayList<>(row);
            after.removeIf(entry ->
                    entry.kind() != EntryKind.ROW_TOMBSTONE && entry.address().compareTo(address) <= 0);
            assertSame(view.rowAfter(key, session), after);
        }

        private void checkProbe(RunView view, EntryKey key, ReadSession session, boolean isAbsent) {
            FilterProbe ofView = new FilterProbe();
            FilterProbe ofTable = new FilterProbe();
            ofView.begin(FilterLayout.hash(key.rowHash(), key.table()));
            ofTable.begin(FilterLayout.hash(key.rowHash(), key.table()));
            view.probe(key, session, ofView);
            ofView.ask();
            TableViews views = new TableViews(List.of(view), key.table());
            views.probe(key, session, ofTable);
            ofTable.ask();
            // Its bounds are those of the table in the view, and so as tight or tighter.
            assertThat(ofView.hasUnknown() || !ofTable.hasUnknown()).isTrue();
            if (!ofView.mayHold(0) || views.size() == 0 || !ofTable.mayHold(0)) {
                assertThat(isAbsent).isTrue();
                absentByProbe.incrementAndGet();
            }
        }

        private void checkFind(RunView view, TreeMap<TestEntry.Address, TestEntry> visible, ReadSession session) {
            EntryKey key = world.key();
            TestEntry.Address address = TestEntry.address(key);
            TestEntry expected = visible.get(address);
            byte kind = view.find(key, session);
            if (expected == null) {
                boolean hidden = key.isMapEntry() && visible.containsKey(address.row());
                assertThat(kind).isEqualTo(hidden ? EntryKind.ROW_TOMBSTONE : 0);
            } else {
                assertThat(kind).isEqualTo(expected.kind());
                assertThat(TestRuns.value(session)).isEqualTo(expected.value());
                assertThat(view.mayHold(key, session)).isTrue();
            }
        }

        /** Compares, with lookups in between that may push the cursor's blocks out of the caches. */
        private void assertSame(EntryCursor cursor, Collection<TestEntry> expected) {
            if (cursor == null) {
                assertThat(expected).isEmpty();
                return;
            }
            List<TestEntry> found = new ArrayList<>();
            int most = random.nextInt(3) == 0 ? random.nextInt(1 + expected.size()) : Integer.MAX_VALUE;
            try (cursor) {
                while (found.size() < most && cursor.next()) {
                    found.add(TestCursor.entry(cursor));
                }
                if (found.size() < most) {
                    assertThat(cursor.next()).isFalse();
                }
            }
            List<TestEntry> wanted = new ArrayList<>(expected).subList(0, Math.min(most, expected.size()));
            if (!found.equals(wanted)) {
                assertThat(found).isEqualTo(wanted);
            }
        }
    }

    @Test
    void manyCursorsOfASessionDoNotDisturbEachOther() {
        Seeds.cases(200, seed -> {
            Random random = new Random(seed);
            RandomEntries world = new RandomEntries(random);
            TreeMap<TestEntry.Address, TestEntry> entries = world.entries(1 + random.nextInt(400));
            try (TestRuns runs = new TestRuns()) {
                RunOptions options = world.options();
                FrameCache blocks = new FrameCache(options.blockBytes(), 1 + random.nextInt(8), runs.arena());
                CompressedBlockCache compressed = new CompressedBlockCache(random.nextInt(8), runs.arena());
                FrameCache filters = new FrameCache(options.pageBytes(), 2, runs.arena());
                Caches caches = new Caches(blocks, compressed, filters, ReadThresholds.ANY);
                try (Run run = runs.write(entries.values(), options);
                        blocks;
                        compressed;
                        filters;
                        ReadSession session = ReadSession.owner(runs.memory(), caches, 300)) {
                    interleave(RunView.of(run), entries, session, random);
                }
            }
        });
    }

    private static void interleave(
            RunView view, TreeMap<TestEntry.Address, TestEntry> entries, ReadSession session, Random random) {
        List<EntryCursor> cursors = new ArrayList<>();
        List<List<TestEntry>> expected = new ArrayList<>();
        int[] positions = new int[6];
        TestEntry.Address[] addresses = entries.keySet().toArray(new TestEntry.Address[0]);
        for (int i = 0; i < positions.length; i++) {
            TestEntry.Address address = addresses[random.nextInt(addresses.length)];
            EntryKey key = TestRuns.key(address.row());
            cursors.add(i % 2 == 0 ? view.row(key, session) : view.range(0, RunView.NO_END, session));
            expected.add(List.copyOf(i % 2 == 0 ? TestRuns.row(entries, address) : entries.values()));
        }
        for (int step = 0; step < 300; step++) {
            int i = random.nextInt(positions.length);
            boolean more = cursors.get(i).next();
            assertThat(more).isEqualTo(positions[i] < expected.get(i).size());
            if (more) {
                TestEntry.Address sought = addresses[random.nextInt(addresses.length)];
                assertThat(view.find(TestRuns.key(sought), session)).isNotZero();
                assertThat(Arrays.equals(
                                TestRuns.value(session), entries.get(sought).value()))
                        .isTrue();
                assertThat(TestCursor.entry(cursors.get(i)))
                        .isEqualTo(expected.get(i).get(positions[i]));
                positions[i]++;
            } else {
                cursors.get(i).close();
                cursors.set(i, view.range(0, RunView.NO_END, session));
                expected.set(i, List.copyOf(entries.values()));
                positions[i] = 0;
            }
        }
        cursors.forEach(EntryCursor::close);
    }
}
