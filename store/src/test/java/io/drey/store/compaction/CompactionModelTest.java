package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.IoCounts;
import io.drey.files.fault.FaultyDirectory;
import io.drey.store.block.Compression;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.Expiries;
import io.drey.store.entry.LargeLists;
import io.drey.store.file.FileIds;
import io.drey.store.run.Caches;
import io.drey.store.run.RandomEntries;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import io.drey.store.tuning.CompactionYield;
import io.drey.store.tuning.ReadThresholds;
import io.drey.store.version.LogUsage;
import io.drey.store.version.Version;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Versions that take in young runs, are compacted by what the picker chooses, are split by key groups and joined again,
 * against a map each.
 */
@Tag(Effort.TAG)
class CompactionModelTest {
    @Test
    void versionsEqualTheModel() {
        Seeds.cases(250, seed -> new Case(new Random(seed)).run());
    }

    private static final class Store {
        final int keyGroupFrom;
        final int keyGroupTo;
        Version version = Version.EMPTY;
        TreeMap<TestEntry.Address, byte[]> values = new TreeMap<>();

        Store(int keyGroupFrom, int keyGroupTo) {
            this.keyGroupFrom = keyGroupFrom;
            this.keyGroupTo = keyGroupTo;
        }

        boolean owns(TestEntry.Address address) {
            return address.keyGroup() >= keyGroupFrom && address.keyGroup() <= keyGroupTo;
        }
    }

    private static final class Case {
        private final Random random;
        private final RandomEntries world;
        private final RunOptions options;
        private final CompactionLimits limits;
        private final List<Store> stores = new ArrayList<>(List.of(new Store(0, 65535)));
        private final Set<Run> open = new HashSet<>();
        private boolean draining;

        Case(Random random) {
            this.random = random;
            this.world = new RandomEntries(random);
            this.options = world.options();
            int tierMin = 2 + random.nextInt(3);
            long runBytes = 256L << random.nextInt(6);
            this.limits = new CompactionLimits(
                    2 + random.nextInt(7),
                    tierMin,
                    tierMin + random.nextInt(3),
                    10 + random.nextInt(60),
                    runBytes,
                    runBytes * (1 + random.nextInt(4)));
        }

        void run() throws IOException {
            try (TestRuns runs = new TestRuns(8 << 20, 1024);
                    FrameCache blocks = new FrameCache(options.blockBytes(), 40, runs.arena());
                    FrameCache filters = new FrameCache(options.pageBytes(), 40, runs.arena());
                    CompressedBlockCache compressed = new CompressedBlockCache(40, runs.arena());
                    ReadSession session = ReadSession.owner(
                            runs.memory(), new Caches(blocks, compressed, filters, ReadThresholds.ANY), 500)) {
                int steps = 10 + random.nextInt(60);
                for (int step = 0; step < steps; step++) {
                    int choice = random.nextInt(40);
                    if (choice == 0 && stores.size() < 3) {
                        split();
                    } else if (choice == 1 && stores.size() > 1) {
                        join();
                    } else {
                        Store store = stores.get(random.nextInt(stores.size()));
                        if (choice < 16) {
                            addYoung(store, runs);
                        } else {
                            compaction(store, runs);
                        }
                        check(store, runs, session);
                    }
                    closeUnused(runs, blocks, compressed, filters);
                }
                while (stores.size() > 1) {
                    join();
                }
                drain(stores.get(0), runs);
                check(stores.get(0), runs, session);
                stores.clear();
                closeUnused(runs, blocks, compressed, filters);
                assertThat(runs.directory.list()).isEmpty();
            }
        }

        private void addYoung(Store store, TestRuns runs) throws IOException {
            List<TestEntry> entries = world.entries(random.nextInt(150)).values().stream()
                    .filter(entry -> store.owns(entry.address()))
                    .toList();
            if (!entries.isEmpty()) {
                Run run = runs.write(entries, options);
                open.add(run);
                List<RunView> young = new ArrayList<>(store.version.young());
                young.add(0, RunView.of(run));
                store.version = new Version(young, store.version.levels());
                TestLayers.apply(entries, store.values);
            }
        }

        private boolean compaction(Store store, TestRuns runs) throws IOException {
            CompactionChoice choice = CompactionPicker.pick(
                    store.version,
                    LogUsage.of(store.version),
                    limits,
                    new CompactionYield(),
                    random.nextInt(20) == 0,
                    draining ? Long.MAX_VALUE : 1000L << random.nextInt(20));
            if (choice == null) {
                return false;
            }
            checkChoice(choice, store.version);
            if (random.nextInt(8) == 0) {
                giveUpCompaction(choice, store, runs);
            }
            CompactionWriter job = new CompactionWriter(choice, target(store, runs), runs.memory());
            int stepBytes = 1 + random.nextInt(2000);
            while (job.step(stepBytes)) {
                // A younger run may come while the compaction is under way.
                if (!draining && random.nextInt(40) == 0) {
                    addYoung(store, runs);
                }
            }
            List<Run> made = job.runs();
            open.addAll(made);
            store.version = choice.apply(store.version, made);
            return true;
        }

        private static void checkChoice(CompactionChoice choice, Version version) {
            assertThat(choice.inputs()).isNotEmpty();
            if (choice.majorCompaction()) {
                int fresh = version.young().size() - choice.young().size();
                assertThat(choice.young())
                        .isEqualTo(
                                version.young().subList(fresh, version.young().size()));
            } else {
                assertThat(choice.young()).hasSizeGreaterThan(1);
            }
        }

        private CompactionWriter.Target target(Store store, TestRuns runs) {
            return new CompactionWriter.Target(
                    runs.directory,
                    runs::newName,
                    FileIds.RANDOM,
                    options,
                    count -> options.bufferBytes(),
                    limits.runBytesMax(),
                    store.keyGroupFrom,
                    store.keyGroupTo,
                    runs.logs(),
                    runs::newLogs,
                    new LargeLists(LargeLists.BYTES_MAX),
                    new Expiries(),
                    new IoCounts());
        }

        private void giveUpCompaction(CompactionChoice choice, Store store, TestRuns runs) throws IOException {
            List<String> before = runs.directory.list();
            int pagesBefore = runs.arena().freePages();
            CompactionWriter job = new CompactionWriter(choice, target(store, runs), runs.memory());
            int steps = random.nextInt(20);
            boolean more = true;
            for (int i = 0; i < steps && more; i++) {
                more = job.step(300);
            }
            CancellationException cause = new CancellationException();
            job.discard(cause);
            assertThat(cause.getSuppressed()).isEmpty();
            assertThat(runs.directory.list()).isEqualTo(before);
            assertThat(runs.arena().freePages()).isEqualTo(pagesBefore);
        }

        /** No compaction is due for ever: major compactions end. */
        private void drain(Store store, TestRuns runs) throws IOException {
            draining = true;
            int compactions = 0;
            while (compaction(store, runs)) {
                compactions++;
                assertThat(compactions).isLessThan(5000);
            }
            Version version = store.version;
            assertThat(version.young().size())
                    .isLessThanOrEqualTo(Math.max(limits.youngRunsMax(), limits.tierRunsMin()));
            assertThat(version.levels()).hasSizeLessThanOrEqualTo(CompactionPicker.LEVELS_MAX);
        }

        private void split() {
            Store store = stores.remove(random.nextInt(stores.size()));
            int[] cuts = {0, 1, 127, 128, 299, 300, 1000};
            int cut = cuts[random.nextInt(cuts.length)];
            if (cut < store.keyGroupFrom || cut >= store.keyGroupTo) {
                stores.add(store);
                return;
            }
            stores.add(part(store, store.keyGroupFrom, cut));
            stores.add(part(store, cut + 1, store.keyGroupTo));
        }

        private static Store part(Store store, int from, int to) {
            Store part = new Store(from, to);
            part.version = new Version(
                    clip(store.version.young(), from, to),
                    store.version.levels().stream()
                            .map(level -> clip(level, from, to))
                            .filter(level -> !level.isEmpty())
                            .toList());
            store.values.forEach((address, value) -> {
                if (part.owns(address)) {
                    part.values.put(address, value);
                }
            });
            return part;
        }

        private static List<RunView> clip(List<RunView> views, int from, int to) {
            return views.stream()
                    .map(view -> view.clipKeyGroups(from, to))
                    .filter(view -> !view.isEmpty())
                    .toList();
        }

        private void join() {
            Store a = stores.remove(random.nextInt(stores.size()));
            Store b = stores.remove(random.nextInt(stores.size()));
            // Key groups between the two, if any, belong to nobody else by then.
            Store joined = new Store(Math.min(a.keyGroupFrom, b.keyGroupFrom), Math.max(a.keyGroupTo, b.keyGroupTo));
            List<RunView> young = new ArrayList<>(a.version.young());
            young.addAll(b.version.young());
            List<List<RunView>> levels = new ArrayList<>(a.version.levels());
            levels.addAll(b.version.levels());
            joined.version = new Version(young, levels);
            joined.values.putAll(a.values);
            joined.values.putAll(b.values);
            stores.removeIf(store -> {
                boolean inside = store.keyGroupFrom > joined.keyGroupFrom && store.keyGroupTo < joined.keyGroupTo;
                if (inside) {
                    absorb(joined, store);
                }
                return inside;
            });
            stores.add(joined);
        }

        private static void absorb(Store joined, Store store) {
            List<RunView> young = new ArrayList<>(joined.version.young());
            young.addAll(store.version.young());
            List<List<RunView>> levels = new ArrayList<>(joined.version.levels());
            levels.addAll(store.version.levels());
            joined.version = new Version(young, levels);
            joined.values.putAll(store.values);
        }

        private void check(Store store, TestRuns runs, ReadSession session) {
            TestVersions.check(store.version);
            assertThat(TestVersions.scan(store.version, runs, session)).isEqualTo(TestLayers.asEntries(store.values));
            for (int i = 0; i < 20; i++) {
                EntryKey key = world.key();
                TestEntry.Address address = TestEntry.address(key);
                if (store.owns(address)) {
                    assertThat(TestVersions.find(store.version, key, session)).isEqualTo(store.values.get(address));
                }
            }
        }

        private void closeUnused(
                TestRuns runs, FrameCache blocks, CompressedBlockCache compressed, FrameCache filters) {
            Set<Run> used = new HashSet<>();
            stores.forEach(store -> used.addAll(TestVersions.runs(store.version)));
            open.removeIf(run -> {
                boolean unused = !used.contains(run);
                if (unused) {
                    blocks.forget(run.number());
                    compressed.forget(run.number());
                    filters.forget(run.number());
                    run.close();
                    runs.directory.delete(run.info().name());
                }
                return unused;
            });
        }
    }

    @Test
    void leavesNothingBehindWhereverItFails() throws IOException {
        Random random = new Random(7);
        RandomEntries world = new RandomEntries(random);
        try (TestRuns runs = new TestRuns()) {
            RunOptions options = new RunOptions(256, 128, 256, Compression.LZ4);
            FaultyDirectory faulty = new FaultyDirectory(runs.directory);
            List<Run> inputs = new ArrayList<>();
            List<RunView> young = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Run run = runs.write(world.entries(300).values(), options);
                run.close();
                inputs.add(Run.open(faulty.open(run.info().name()), runs.memory(), runs.logs()));
                young.add(RunView.of(inputs.get(i)));
            }
            List<String> before = runs.directory.list();
            CompactionChoice choice =
                    new CompactionChoice(young, List.of(), 0, RunView.NO_END, CompactionChoice.Kind.MAJOR);
            CompactionWriter.Target target = new CompactionWriter.Target(
                    faulty,
                    runs::newName,
                    FileIds.RANDOM,
                    options,
                    count -> options.bufferBytes(),
                    1000,
                    0,
                    65535,
                    runs.logs(),
                    runs::newLogs,
                    new LargeLists(LargeLists.BYTES_MAX),
                    new Expiries(),
                    new IoCounts());
            boolean failed = true;
            int operation = 0;
            for (; failed; operation++) {
                faulty.failAt(operation);
                CompactionWriter job = new CompactionWriter(choice, target, runs.memory());
                try {
                    while (job.step(1000)) {
                        assertThat(job.bytesRead()).isPositive();
                    }
                    faulty.heal();
                    for (Run run : job.runs()) {
                        run.close();
                        runs.directory.delete(run.info().name());
                    }
                    failed = false;
                } catch (IOException | RuntimeException e) {
                    job.discard(e);
                    assertThat(e).hasStackTraceContaining("InjectedFault");
                }
                assertThat(runs.directory.list()).isEqualTo(before);
            }
            assertThat(operation).isGreaterThan(30);
            inputs.forEach(Run::close);
        }
    }
}
