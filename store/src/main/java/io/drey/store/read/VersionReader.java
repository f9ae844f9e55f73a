package io.drey.store.read;

import io.drey.foundation.Bytes;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.compaction.MergingCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.filter.FilterLayout;
import io.drey.store.filter.FilterProbe;
import io.drey.store.log.record.LowerLevels;
import io.drey.store.memory.MemoryPlan;
import io.drey.store.run.Caches;
import io.drey.store.run.ExpectedTable;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunCursor;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunView;
import io.drey.store.run.TableViews;
import io.drey.store.stats.StoreStats;
import io.drey.store.tuning.CompactionPayoff;
import io.drey.store.tuning.CompressionPolicy;
import io.drey.store.tuning.MemoryBalance;
import io.drey.store.tuning.ReadStallRatio;
import io.drey.store.tuning.ReadThresholds;
import io.drey.store.tuning.RunShape;
import io.drey.store.value.ValueReader;
import io.drey.store.version.FileRefs;
import io.drey.store.version.Version;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads the version in force: all that lies below the log, as the owner sees it. A lookup asks the young runs from the
 * youngest to the oldest, then the one place in each level. Allocates nothing per lookup.
 */
public final class VersionReader implements LowerLevels, AutoCloseable {
    private final FileRefs refs;
    private final FrameCache blocks;
    private final CompressedBlockCache compressed;
    private final FrameCache pages;
    private final ReadSession session;
    private final MergingCursor compacting;
    private final CompactionPayoff waste = new CompactionPayoff();
    private final ReadThresholds thresholds;
    private final ReadStallRatio stalls;
    private final Bytes operands = new Bytes();
    private int[] operandEnds = new int[16];
    private volatile Version version = Version.EMPTY;

    /** What was counted last; any thread. */
    private volatile Counted counted =
            new Counted(Version.EMPTY, new StoreStats.Runs(new StoreStats.Files(0, 0), new StoreStats.Files(0, 0)));

    private record Counted(Version of, StoreStats.Runs runs) {}

    /** The young runs with entries of a table, by table, where that was asked for. */
    private TableViews[] youngByTable = new TableViews[16];

    private LevelIndex[] levels = new LevelIndex[0];
    private long bytes;

    /** How often caches had been asked at the last {@link #countCacheUse}. */
    private long askedBefore;

    /**
     * Of the entry that was there last in this version, or may be: its row is likely the next that is asked for, and
     * needs no filter then.
     */
    private long foundPrefix;

    private long foundRow;

    private final AbsentMaps absent = new AbsentMaps();
    private final FilterProbe probe = new FilterProbe();

    /** The places of the probe: those of young runs, then those of levels. */
    private int places;

    private TableViews youngPlaces;
    private RunView[] levelPlaces = new RunView[8];

    public VersionReader(FileRefs refs, RunMemory memory, Caches caches, int readAheadBytes) {
        this.refs = refs;
        this.blocks = caches.blocks();
        this.compressed = caches.compressed();
        this.pages = caches.pages();
        this.session = ReadSession.owner(memory, caches, readAheadBytes);
        this.compacting = new MergingCursor(memory);
        this.thresholds = caches.thresholds();
        this.stalls = new ReadStallRatio(thresholds.clock().getAsLong());
    }

    public Version version() {
        return version;
    }

    /** What follows pointers for the owner. */
    public ValueReader values() {
        return session.values();
    }

    /** What lookups read with. */
    public ReadSession session() {
        return session;
    }

    public long reads() {
        return session.reads();
    }

    public long bytesRead() {
        return session.bytesRead();
    }

    /** What lookups found in memory; any thread. */
    public StoreStats.Caches cacheStats(StoreStats.Balance balance) {
        return new StoreStats.Caches(
                new StoreStats.Cache(blocks.hits(), blocks.misses()),
                new StoreStats.Cache(compressed.hits(), compressed.misses()),
                new StoreStats.Cache(session.indexHits(), session.indexReads()),
                new StoreStats.Cache(session.filterHits(), session.filterReads()),
                session.filterNegatives(),
                session.filterErrors(),
                session.emptySearches(),
                balance);
    }

    /** Files of the runs, counted once for each version, of which a hundred metrics are told; any thread. */
    public StoreStats.Runs runStats() {
        Version now = version;
        Counted known = counted;
        if (!known.of().equals(now)) {
            StoreStats.Files young = StoreStats.Files.of(runsOf(new Version(now.young(), List.of())));
            StoreStats.Files levels = StoreStats.Files.of(runsOf(new Version(List.of(), now.levels())));
            known = new Counted(now, new StoreStats.Runs(young, levels));
            counted = known;
        }
        return known.runs();
    }

    /** Puts a version in force, and holds its runs in place of those of the one before. */
    public void install(Version next) {
        Collection<Run> before = runsOf(version);
        Collection<Run> after = runsOf(next);
        refs.hold(FileRefs.Holder.VERSION, after);
        waste.installed(input(after));
        expectInLevels(next);
        version = next;
        foundPrefix = 0;
        foundRow = 0;
        absent.forget();
        long youngBytes = next.young().stream().mapToLong(RunView::bytes).sum();
        bytes = Math.max(youngBytes, next.levelBytes());
        Arrays.fill(youngByTable, null);
        levels = next.levels().stream().map(LevelIndex::new).toArray(LevelIndex[]::new);
        long[] gone = before.stream()
                .filter(run -> !after.contains(run))
                .mapToLong(Run::number)
                .sorted()
                .toArray();
        if (gone.length > 0) {
            blocks.forget(gone);
            pages.forget(gone);
            Arrays.stream(gone).forEach(compressed::forget);
        }
        if (session.disk().isSlow()) {
            // Where they are not, there are always young runs, whose filters would lack that memory soon.
            pages.trim();
        }
        refs.release(FileRefs.Holder.VERSION, before);
    }

    /**
     * New runs of levels take the places of those before: pages of their filters are as useful, or as little, from the
     * first.
     */
    private void expectInLevels(Version next) {
        Set<Run> before = runsOf(new Version(List.of(), version.levels()));
        for (Run run : runsOf(new Version(List.of(), next.levels()))) {
            if (!before.contains(run)) {
                before.forEach(run::expectAsIn);
            }
        }
    }

    /** Whether any run in force holds entries of a table, also ones that are clipped. */
    public boolean holdsTable(int table) {
        return version.views()
                .anyMatch(view -> view.run().info().tables().stream().anyMatch(count -> count.table() == table));
    }

    /** Says that all of a table will be read soon, see {@link ExpectedTable}. */
    public void expect(int table) {
        ExpectedTable.expect(version.views().toList(), table, session);
    }

    /** Those of the levels, or of young runs that have more. */
    @Override
    public long bytes() {
        return bytes;
    }

    /** The runs of a version, each once, youngest first. */
    public static Set<Run> runsOf(Version version) {
        return version.views().map(RunView::run).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Appends the value of an entry to {@code value}; false if there is none. */
    public boolean read(EntryKey key, Bytes value) {
        boolean isOfMap = key.isMapEntry();
        if (isOfMap && absent.isAbsent(key)) {
            return false;
        }
        probe(key);
        boolean isThere = search(key, value);
        if (isThere) {
            found(key);
        } else if (isOfMap) {
            absent.answered(key, probe.passes() || probe.hasUnknown());
        }
        return isThere;
    }

    private void found(EntryKey key) {
        foundPrefix = key.prefix();
        foundRow = key.rowHash();
    }

    private boolean search(EntryKey key, Bytes value) {
        operands.clear();
        int operandCount = 0;
        for (int place = 0; place < places; place++) {
            long reads = session.reads();
            byte kind = find(place, key);
            if (kind == EntryKind.APPEND) {
                operandCount = pushOperand(operandCount);
            } else if (kind != 0) {
                return finish(kind, operandCount, value);
            } else if (place < youngPlaces.size()) {
                waste.wasted(session.reads() - reads);
            }
        }
        return finish((byte) 0, operandCount, value);
    }

    /** Looks up an entry at a place of the probe. */
    private byte find(int place, EntryKey key) {
        if (probe.mayHold(place)) {
            return view(place).find(key, session);
        }
        if (probe.isAbsent(place)) {
            session.foundAbsent(view(place).run(), key.table());
        }
        return 0;
    }

    private RunView view(int place) {
        int young = youngPlaces.size();
        return place < young ? youngPlaces.view(place) : levelPlaces[place - young];
    }

    /** Whether lookups lost more by reads that a major compaction saves, since the last one began, than it costs. */
    public CompactionPayoff.Decision payoff(MemoryPlan plan) {
        if (!compression(0).isZstd()) {
            return waste.decide(session.reads(), session.readNanos(), 0, 0, 0);
        }
        return waste.decide(
                session.reads(),
                session.readNanos(),
                session.readsWithoutZstd(),
                plan.compressedBytesMax(framePages(), session.disk()),
                plan.compressedBytesMax(waste.indexPagesAfter(framePages()), session.disk()));
    }

    private static CompactionPayoff.Input input(Collection<Run> runs) {
        long entries = 0;
        long bytes = 0;
        long blockBytes = 0;
        long blocks = 0;
        long rawBytes = 0;
        for (Run run : runs) {
            entries += run.info().entries();
            bytes += run.info().bytes();
            blockBytes += run.blockBytes();
            blocks += run.index().blocks();
            rawBytes += run.info().rawBytes();
        }
        return new CompactionPayoff.Input(entries, bytes, blockBytes, blocks, rawBytes);
    }

    /** A major compaction began. */
    public void forgetWaste() {
        waste.forget(session.reads(), session.readNanos(), session.readsWithoutZstd());
    }

    /**
     * Takes note of how much of its time the owner waits for reads, where they take long: what is asked next goes by
     * that.
     */
    public void noteStalls() {
        if (session.disk().isSlow()) {
            stalls.note(thresholds.clock().getAsLong(), session.readNanos());
        }
    }

    /** How a major compaction that has to read so many bytes per second compresses. */
    public CompressionPolicy.Decision compression(double bytesPerSecond) {
        return CompressionPolicy.decide(session.disk(), bytesPerSecond, stalls.share(), thresholds);
    }

    private int pushOperand(int count) {
        if (count == operandEnds.length) {
            operandEnds = Arrays.copyOf(operandEnds, count * 2);
        }
        operands.append(session.valueAddress(), session.valueLength());
        operandEnds[count] = operands.length();
        return count + 1;
    }

    private boolean finish(byte kind, int operandCount, Bytes value) {
        if (kind == EntryKind.VALUE) {
            value.append(session.valueAddress(), session.valueLength());
        }
        session.trim();
        for (int i = operandCount - 1; i >= 0; i--) {
            int start = i == 0 ? 0 : operandEnds[i - 1];
            value.append(operands.array(), start, operandEnds[i] - start);
        }
        operands.trim();
        return kind == EntryKind.VALUE || operandCount > 0;
    }

    /** Mostly asked for what is there, to delete it: the levels first, as most is in them. */
    @Override
    public boolean mayHold(EntryKey key) {
        boolean mayBeThere = mayHold(key, false);
        if (mayBeThere) {
            found(key);
        }
        return mayBeThere;
    }

    private boolean mayHold(EntryKey key, boolean anyOfRow) {
        long prefix = key.prefix();
        for (LevelIndex level : levels) {
            for (int i = level.end(prefix) - 1; level.reaches(i, prefix); i--) {
                if (mayHold(level.view(i), key, anyOfRow)) {
                    return true;
                }
            }
        }
        TableViews young = youngWith(key.table());
        for (int i = 0; i < young.size(); i++) {
            if (mayHold(young.view(i), key, anyOfRow)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayHold(RunView view, EntryKey key, boolean anyOfRow) {
        return anyOfRow ? view.mayHoldRow(key, session) : view.mayHold(key, session);
    }

    /**
     * About how many bytes runs hold of an entry: those of the blocks that it may be in, also of versions that newer
     * ones hide. Exact for what is large, which has a block of its own.
     *
     * @param exactly those that {@link #read} would find, which are read for that
     */
    public long bytesOf(EntryKey key, boolean exactly) {
        if (exactly) {
            return visibleBytes(key);
        }
        return version.views().mapToLong(view -> view.blockBytes(key, session)).sum();
    }

    private long visibleBytes(EntryKey key) {
        long visible = 0;
        for (RunView view : version.views().toList()) {
            byte kind = view.find(key, session);
            visible += kind == EntryKind.APPEND || kind == EntryKind.VALUE ? session.valueLength() : 0;
            if (kind != 0 && kind != EntryKind.APPEND) {
                break;
            }
        }
        session.trim();
        return visible;
    }

    @Override
    public boolean mayHoldRow(EntryKey key) {
        if (isOfRowFoundLast(key)) {
            return true;
        }
        if (absent.isAbsent(key)) {
            return false;
        }
        probe(key);
        boolean mayBeThere = probe.passes() || (probe.hasUnknown() && mayHold(key, true));
        absent.answered(key, mayBeThere);
        return mayBeThere;
    }

    private boolean isOfRowFoundLast(EntryKey key) {
        return key.rowHash() == foundRow && key.prefix() == foundPrefix;
    }

    /** The young runs with entries of a table, found out once for each version. */
    private TableViews youngWith(int table) {
        if (table >= youngByTable.length) {
            youngByTable = Arrays.copyOf(youngByTable, Math.max(table + 1, 2 * youngByTable.length));
        }
        if (youngByTable[table] == null) {
            youngByTable[table] = new TableViews(version.young(), table);
        }
        return youngByTable[table];
    }

    /**
     * Asks the filters in memory for the row of a key, all at once: it is mostly in one run, or in none. There is a
     * place for each young run with entries of the table, and then for each of a level that reaches the key.
     */
    private void probe(EntryKey key) {
        probe.begin(FilterLayout.hash(key.rowHash(), key.table()));
        youngPlaces = youngWith(key.table());
        youngPlaces.probe(key, session, probe);
        places = youngPlaces.size();
        long prefix = key.prefix();
        for (LevelIndex level : levels) {
            for (int i = level.end(prefix) - 1; level.reaches(i, prefix); i--) {
                RunView view = level.view(i);
                view.probe(key, session, probe);
                addLevelPlace(view);
            }
        }
        probe.ask();
    }

    private void addLevelPlace(RunView view) {
        int i = places++ - youngPlaces.size();
        if (i == levelPlaces.length) {
            levelPlaces = Arrays.copyOf(levelPlaces, 2 * i);
        }
        levelPlaces[i] = view;
    }

    /**
     * The live entries of a map: what {@code newest}, which is taken over, leaves of the runs, from the map entry that
     * the key addresses (exclusive), or from the first if it addresses the row. One at a time; close it.
     */
    public EntryCursor scanMap(EntryKey key, EntryCursor newest) {
        compacting.begin(true);
        compacting.addOlder(newest);
        boolean opened = false;
        try {
            openRow(key, key.isMapEntry());
            opened = true;
        } finally {
            if (!opened) {
                compacting.close();
            }
        }
        return compacting;
    }

    /** Opens the row in all runs that may have it, but for those behind its youngest tombstone. */
    private void openRow(EntryKey key, boolean after) {
        probe(key);
        boolean isHidden = false;
        for (int place = 0; place < places && !isHidden; place++) {
            if (probe.mayHold(place)) {
                RunView view = view(place);
                RunCursor cursor = after ? view.rowAfter(key, session) : view.row(key, session);
                compacting.addOlder(cursor);
                isHidden = cursor != null && cursor.isBeforeRowTombstone();
            }
        }
    }

    /** Pages of the arena that the caches take. */
    public int cachePages() {
        return blocks.pages() + compressed.pages() + pages.pages();
    }

    /** Pages of the arena that pages of indexes and filters take. */
    public int framePages() {
        return pages.pages();
    }

    /** Sets how many pages of scratch memory no cache may take. */
    public void leave(int scratchPages) {
        blocks.leave(scratchPages);
        compressed.leave(scratchPages);
        pages.leave(scratchPages);
    }

    /** Of a block in the cache, at most. */
    public int frameBytes() {
        return blocks.frameBytes();
    }

    /** New runs have such blocks: the cache gets frames for them, unless they are large; next time if one is pinned. */
    public void blocksHave(int bytes) {
        blocks.resize(Math.min(bytes, RunShape.CACHED_BLOCK_BYTES));
    }

    /** Sets how much the caches may hold from now on. */
    public void limitCaches(MemoryPlan plan, MemoryPlan.BlockLimits limits) {
        blocks.limit(limits.frames());
        compressed.limit(limits.compressedPages());
        // The share may be another one than when the store was opened.
        pages.limit(plan.pageFrames(pages.frameBytes()));
    }

    /** Gives memory of the caches back, down to a share of their most; pages first, as they leave the rest to blocks. */
    public void shrinkCaches(MemoryPlan plan, Supplier<MemoryPlan.BlockLimits> blockLimits) {
        pages.shrink(plan.pageFrames(pages.frameBytes()));
        MemoryPlan.BlockLimits limits = blockLimits.get();
        limitCaches(plan, limits);
        blocks.shrink(limits.frames());
        compressed.shrink(limits.compressedPages());
    }

    /**
     * Whether the caches were asked less than once for each page since the last count, as where all that is asked for
     * is in the log.
     */
    public boolean areCachesUnused() {
        return cacheQuestions() - askedBefore < cachePages();
    }

    /** Begins to count anew how often the caches are asked. */
    public void countCacheUse() {
        askedBefore = cacheQuestions();
    }

    private long cacheQuestions() {
        return blocks.hits()
                + blocks.misses()
                + compressed.hits()
                + compressed.misses()
                + pages.hits()
                + pages.misses();
    }

    /** Gives half of what the caches hold back. */
    public void halveCaches() {
        blocks.shrink(blocks.frames() / 2);
        compressed.shrink(compressed.pages() / 2);
        pages.shrink(pages.frames() / 2);
    }

    /** What the balance of memory is decided by. */
    public MemoryBalance.Measured cacheMisses() {
        return new MemoryBalance.Measured(
                blocks.missesOfSize(),
                session.readsOfFrames(),
                compressed.missesOfSize(),
                session.readNanos(),
                blocks.isWithinLimit(),
                compressed.isWithinLimit());
    }

    /** Gives back the reading memory and lets go of the version. */
    @Override
    public void close() {
        try {
            install(Version.EMPTY);
        } finally {
            compacting.close();
            session.close();
            blocks.close();
            compressed.close();
            pages.close();
        }
    }
}
