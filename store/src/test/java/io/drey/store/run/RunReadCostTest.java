package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.tuning.ReadThresholds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What reading costs in I/Os, and that huge values pass. */
class RunReadCostTest {
    private static final byte[] NONE = new byte[0];

    private static final RunOptions WITHOUT_FILTER =
            RunOptions.of(4096, 64 << 10).with(4096, false);

    private static EntryKey key(int table, String key, String mapKey) {
        byte[] mapKeyBytes = mapKey == null ? null : mapKey.getBytes(StandardCharsets.UTF_8);
        return TestEntry.key(table, 3, key.getBytes(StandardCharsets.UTF_8), NONE, mapKeyBytes);
    }

    private static void add(TreeMap<TestEntry.Address, TestEntry> entries, EntryKey key, byte kind, int valueBytes) {
        byte[] value = new byte[valueBytes];
        new Random(entries.size()).nextBytes(value);
        TestEntry.Address address = TestEntry.address(key);
        entries.put(address, new TestEntry(address, kind, value));
    }

    /** Values, many small maps, and one map over many blocks. */
    private static TreeMap<TestEntry.Address, TestEntry> entries() {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            add(entries, key(1, "key" + i, null), EntryKind.VALUE, 40);
            add(entries, key(2, "map" + i % 4000, "entry" + i), EntryKind.VALUE, 40);
            add(entries, key(2, "huge", "entry" + i), EntryKind.VALUE, 40);
        }
        add(entries, key(2, "cleared", null), EntryKind.ROW_TOMBSTONE, 0);
        return entries;
    }

    private static long dataReads(ReadSession session) {
        return session.reads() - session.filterReads() - session.indexReads();
    }

    @Test
    void aPresentKeyCostsOneReadOfDataAndAnAbsentOneNormallyNone() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = entries();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 1, runs.arena());
                FrameCache filters = new FrameCache(4096, 500, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                ReadSession session = ReadSession.owner(
                        runs.memory(), new Caches(blocks, null, filters, TestRuns.NEVER_SLOW), 4096)) {
            RunView view = RunView.of(run);
            for (TestEntry.Address address : entries.keySet()) {
                blocks.shrink(0);
                long data = dataReads(session);
                assertThat(view.find(TestRuns.key(address), session)).isNotZero();
                assertThat(dataReads(session) - data).isEqualTo(1);
            }
            assertThat(session.indexReads()).isEqualTo(run.index().pages()).isBetween(2L, 10L);
            long pages = session.filterReads();
            assertThat(pages).isLessThan(entries.size() / 1000);
            long before = session.reads();
            for (int i = 0; i < 10_000; i++) {
                assertThat(view.find(key(1, "absent" + i, null), session)).isZero();
                assertThat(view.find(key(2, "map" + i % 4000, "absent" + i), session))
                        .isZero();
                assertThat(view.find(key(2, "huge", "absent" + i), session)).isZero();
                EntryCursor cursor = view.row(key(2, "absent" + i, null), session);
                if (cursor != null) {
                    assertThat(cursor.next()).isFalse();
                    cursor.close();
                }
            }
            assertThat(session.reads() - before).isLessThan(40_000 * 2 / 100);
            assertThat(session.filterErrors()).isGreaterThan(0);
            assertThat(view.find(key(2, "cleared", "entry"), session)).isEqualTo(EntryKind.ROW_TOMBSTONE);
        }
    }

    @Test
    void whereFiltersDoNotFitPresentKeysCostOneReadAndAbsentOnesAskTheFilter() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = entries();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 1, runs.arena());
                FrameCache filters = new FrameCache(4096, 4, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                ReadSession session =
                        ReadSession.owner(runs.memory(), new Caches(blocks, null, filters, ReadThresholds.ANY), 4096)) {
            RunView view = RunView.of(run);
            Random random = new Random(1);
            for (int i = 0; i < 1000; i++) {
                assertThat(view.find(key(1, "key" + random.nextInt(20_000), null), session))
                        .isNotZero();
            }
            long before = session.reads();
            for (int i = 0; i < 10_000; i++) {
                assertThat(view.find(key(1, "key" + random.nextInt(20_000), null), session))
                        .isNotZero();
            }
            assertThat(session.reads() - before).isLessThan(10_500);
            long pages = session.filterReads();
            for (int i = 0; i < 1000; i++) {
                assertThat(view.find(key(2, "absent" + i, "entry"), session)).isZero();
            }
            assertThat(session.filterReads() - pages).isGreaterThan(300);
        }
    }

    @Test
    void cachedBlocksAndPagesCostNoRead() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = entries();
        try (TestRuns runs = new TestRuns(32 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 3000, runs.arena());
                FrameCache filters = new FrameCache(4096, 500, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                ReadSession session =
                        ReadSession.owner(runs.memory(), new Caches(blocks, null, filters, ReadThresholds.ANY), 4096)) {
            long reads = 0;
            for (int round = 0; round < 2; round++) {
                reads = session.reads();
                findAll(run, entries, session);
            }
            assertThat(session.reads()).isEqualTo(reads);
        }
    }

    /** Many blocks of values that compress. */
    private static TreeMap<TestEntry.Address, TestEntry> compressible() {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            TestEntry.Address address = TestEntry.address(key(1, "key" + i, null));
            entries.put(address, new TestEntry(address, EntryKind.VALUE, new byte[100]));
        }
        return entries;
    }

    @Test
    void compressedBlocksCostNoReadWhereFramesAreFew() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = compressible();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                CompressedBlockCache compressed = new CompressedBlockCache(100, runs.arena());
                FrameCache pages = new FrameCache(4096, 4, runs.arena());
                Run run = runs.write(entries.values(), WITHOUT_FILTER);
                ReadSession session = ReadSession.owner(
                        runs.memory(), new Caches(blocks, compressed, pages, TestRuns.NEVER_SLOW), 4096)) {
            RunView view = RunView.of(run);
            findAll(run, entries, session);
            long reads = session.reads();
            assertThat(dataReads(session)).isEqualTo(compressed.misses()).isGreaterThan(500);
            for (TestEntry entry : entries.values()) {
                assertThat(view.find(TestRuns.key(entry.address()), session)).isEqualTo(EntryKind.VALUE);
                assertThat(TestRuns.value(session)).isEqualTo(entry.value());
            }
            assertThat(session.reads()).isEqualTo(reads);
            assertThat(compressed.hits()).isEqualTo(compressed.misses());
        }
    }

    @Test
    void aRunThatTakesThePlaceOfOneWithoutAbsentKeysReadsNoFilter() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = compressible();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                FrameCache filters = new FrameCache(4096, 100, runs.arena());
                Run older = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                Run neverRead = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                Run newer = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                ReadSession session = ReadSession.owner(
                        runs.memory(), new Caches(blocks, null, filters, TestRuns.NEVER_SLOW), 4096)) {
            findAll(older, entries, session);
            long filterReads = session.filterReads();
            assertThat(filterReads).isPositive();

            newer.expectAsIn(older);
            newer.expectAsIn(neverRead);

            findAll(newer, entries, session);
            assertThat(session.filterReads()).isEqualTo(filterReads);
        }
    }

    @Test
    void aReadFromASlowDiskBringsItsNeighboursWhileThereIsRoom() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = compressible();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                CompressedBlockCache compressed = new CompressedBlockCache(100, runs.arena());
                FrameCache pages = new FrameCache(4096, 4, runs.arena());
                Run run = runs.write(entries.values(), WITHOUT_FILTER);
                ReadSession session = ReadSession.owner(
                        runs.memory(), new Caches(blocks, compressed, pages, ReadThresholds.ANY), 4096)) {
            RunView view = RunView.of(run);
            List<TestEntry> sought = new ArrayList<>(entries.values());
            Collections.shuffle(sought, new Random(1));
            for (TestEntry entry : sought) {
                assertThat(view.find(TestRuns.key(entry.address()), session)).isEqualTo(EntryKind.VALUE);
                assertThat(TestRuns.value(session)).isEqualTo(entry.value());
            }
            assertThat(compressed.hits()).isGreaterThan(10_000);
            assertThat(dataReads(session)).isLessThan(2 + run.info().bytes() * 3 / 2 / (64 << 10));
        }
    }

    @Test
    void aDiskThatAnswersManyAtOnceAndThenNoneIsSlow() throws IOException {
        assertThat(isDiskSlow(24, 100_000, 90_000_000)).isTrue();
    }

    @Test
    void aPauseOfTheProcessMakesNoDiskSlow() throws IOException {
        assertThat(isDiskSlow(2000, 4_000, 500_000_000)).isFalse();
    }

    /** After reads that take so long, but for each so many-th. */
    private static boolean isDiskSlow(int every, long nanos, long nanosOfThat) throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = compressible();
        long[] calls = new long[1];
        long[] now = new long[1];
        LongSupplier clock = () -> {
            boolean ends = ++calls[0] % 2 == 0;
            boolean slow = calls[0] / 2 % every == every / 2;
            now[0] += !ends ? 1_000 : slow ? nanosOfThat : nanos;
            return now[0];
        };
        ReadThresholds thresholds = ReadThresholds.of(Long.MAX_VALUE, ReadThresholds.SHIPPED.aroundNanos(), 1, clock);
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                FrameCache pages = new FrameCache(4096, 4, runs.arena());
                Run run = runs.write(entries.values(), WITHOUT_FILTER);
                ReadSession session =
                        ReadSession.owner(runs.memory(), new Caches(blocks, null, pages, thresholds), 4096)) {
            for (int i = 0; i < 4; i++) {
                findAll(run, entries, session);
            }
            assertThat(session.reads()).isGreaterThan(2000);
            return session.disk().isSlow();
        }
    }

    @Test
    void onASlowDiskNeighboursComeAlongButNotLargeOnes() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = compressible();
        List<TestEntry> small = new ArrayList<>(entries.values());
        for (int i = 0; i < 20; i++) {
            add(entries, key(1, "large" + i, null), EntryKind.VALUE, 400 << 10);
        }
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                CompressedBlockCache compressed = new CompressedBlockCache(200, runs.arena());
                FrameCache pages = new FrameCache(4096, 4, runs.arena());
                Run run = runs.write(entries.values(), WITHOUT_FILTER);
                ReadSession session = ReadSession.owner(
                        runs.memory(), new Caches(blocks, compressed, pages, ReadThresholds.ANY), 4096)) {
            RunView view = RunView.of(run);
            for (TestEntry entry : small) {
                assertThat(view.find(TestRuns.key(entry.address()), session)).isEqualTo(EntryKind.VALUE);
            }
            assertThat(dataReads(session)).isLessThan(200);
            assertThat(session.bytesRead()).isLessThan(4 << 20);
        }
    }

    /** As after a restore, when nothing is in memory and each I/O counts. */
    @Test
    void fromASlowDiskPagesOfIndexesAndFiltersComeTogetherWhileThereIsRoom() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = entries();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                FrameCache pages = new FrameCache(4096, 500, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(512, 64 << 10));
                ReadSession session =
                        ReadSession.owner(runs.memory(), new Caches(blocks, null, pages, ReadThresholds.ANY), 4096)) {
            findAll(run, entries, session);
            assertThat(session.filterReads()).isBetween(1L, run.filterPages().pages() / 2L);
            assertThat(session.indexReads()).isBetween(1L, run.index().pages() / 4L);
        }
    }

    @Test
    void fromASlowDiskAPageComesAloneWhereOthersWouldHaveToGo() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = entries();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 4, runs.arena());
                FrameCache pages = new FrameCache(4096, 4, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                ReadSession session =
                        ReadSession.owner(runs.memory(), new Caches(blocks, null, pages, ReadThresholds.ANY), 4096)) {
            RunView view = RunView.of(run);
            findAll(run, entries, session);
            for (int i = 0; i < 1000; i++) {
                long reads = session.reads();
                long bytes = session.bytesRead();
                view.find(key(2, "absent" + i, "entry"), session);
                assertThat(session.bytesRead() - bytes).isLessThanOrEqualTo((session.reads() - reads) * 5000);
            }
        }
    }

    private static void findAll(Run run, TreeMap<TestEntry.Address, TestEntry> entries, ReadSession session) {
        for (TestEntry.Address address : entries.keySet()) {
            assertThat(RunView.of(run).find(TestRuns.key(address), session)).isNotZero();
        }
    }

    @Test
    void aScanReadsSeveralBlocksAtOnce() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = entries();
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(4096, 30, runs.arena());
                FrameCache filters = new FrameCache(4096, 5, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(4096, 64 << 10));
                ReadSession background = ReadSession.background(runs.memory(), 256 << 10);
                ReadSession owner = ReadSession.owner(
                        runs.memory(), new Caches(blocks, null, filters, ReadThresholds.ANY), 64 << 10)) {
            List<TestEntry> scanned = TestCursor.drain(RunView.of(run).range(0, RunView.NO_END, background));
            assertThat(scanned).hasSize(entries.size());
            assertThat(dataReads(background)).isLessThan(run.info().bytes() / (200 << 10));
            assertThat(background.indexReads()).isLessThan(run.index().pages());
            assertThat(TestCursor.drain(RunView.of(run).row(key(2, "huge", null), owner)))
                    .hasSize(20_000);
            assertThat(owner.reads()).isLessThan(60);
            assertThat(blocks.frames()).isLessThan(10);
        }
    }

    @Test
    void hugeValuesPassOutsideTheHeap() throws IOException {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        int[] sizes = {100, 20_000, (1 << 20) - 100, 1 << 20, 3 << 20, 40 << 20};
        for (int i = 0; i < 60; i++) {
            add(entries, key(1, "key" + i, null), EntryKind.VALUE, i < 6 ? sizes[i] : 50);
        }
        try (TestRuns runs = new TestRuns(1 << 20, 16 << 10);
                FrameCache blocks = new FrameCache(16 << 10, 8, runs.arena());
                FrameCache filters = new FrameCache(4096, 8, runs.arena());
                Run run = runs.write(entries.values(), RunOptions.of(16 << 10, 64 << 10));
                ReadSession background = ReadSession.background(runs.memory(), 64 << 10);
                ReadSession owner = ReadSession.owner(
                        runs.memory(), new Caches(blocks, null, filters, ReadThresholds.ANY), 64 << 10)) {
            RunView view = RunView.of(run);
            for (ReadSession session : new ReadSession[] {background, owner}) {
                assertThat(TestCursor.drain(view.range(0, RunView.NO_END, session)))
                        .isEqualTo(List.copyOf(entries.values()));
                for (TestEntry entry : entries.values()) {
                    assertThat(view.find(TestRuns.key(entry.address()), session))
                            .isEqualTo(EntryKind.VALUE);
                    assertThat(TestRuns.value(session)).isEqualTo(entry.value());
                }
            }
        }
    }

    @Test
    void aRunIsClosedOnce() throws IOException {
        try (TestRuns runs = new TestRuns();
                ReadSession session = ReadSession.background(runs.memory(), 1000)) {
            Run run = runs.write(entries().headMap(entries().firstKey(), true).values(), RunOptions.of(256, 256));
            assertThat(TestCursor.drain(RunView.of(run).range(0, RunView.NO_END, session)))
                    .hasSize(1);
            run.close();
            assertThatThrownBy(run::close).isInstanceOf(IllegalStateException.class);
        }
    }
}
