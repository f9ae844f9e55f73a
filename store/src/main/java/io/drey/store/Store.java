package io.drey.store;

import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.block.BlockBuilder;
import io.drey.store.block.Compression;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.cache.GhostList;
import io.drey.store.compaction.CompactionLimits;
import io.drey.store.compaction.CompactionWriter;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.Expiry;
import io.drey.store.entry.LargeLists;
import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import io.drey.store.entry.Tables;
import io.drey.store.flush.FlushWriter;
import io.drey.store.flush.SingleCursor;
import io.drey.store.log.HybridLog;
import io.drey.store.memory.LeastMemory;
import io.drey.store.memory.MemoryPlan;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.DeferredAdmission;
import io.drey.store.read.MapPrefetch;
import io.drey.store.read.MapReader;
import io.drey.store.read.MapScan;
import io.drey.store.read.TableLoad;
import io.drey.store.read.VersionReader;
import io.drey.store.run.Caches;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.stats.Counters;
import io.drey.store.stats.StoreStats;
import io.drey.store.tuning.CompactionPayoff;
import io.drey.store.tuning.MemoryBalance;
import io.drey.store.tuning.ValuePlacement;
import io.drey.store.value.ValueLogSet;
import io.drey.store.version.FileRefs;
import io.drey.store.version.StoreFiles;
import java.io.IOException;
import java.util.List;

/**
 * The state store of one operator subtask: bytes under (table, key group, key, namespace[, map key]). One thread, the
 * owner, calls everything here; background jobs work on immutable files and frozen records only, and the owner installs
 * what they made between two operations.
 *
 * <p>Keys are addressed by an {@link EntryKey} that the caller fills and reuses; values are read into a {@link Bytes}.
 * A failed background job or a broken invariant poisons the store: every later call throws the cause.
 *
 * <p>A read asks the log, then the runs. A write goes into the log, for which room is made first: by evicting what is
 * flushed already, else by flushing and waiting. Hot path: no allocation, no lock.
 */
public final class Store implements AutoCloseable {
    /** A value larger than this part of the log goes into a run of its own. */
    private static final int DIRECT_FRACTION = 4;

    /** A value that was read from runs is kept in memory if it takes at most this part of a page. */
    private static final int KEPT_FRACTION = 8;

    /** A value log smaller than this part of a run is shared by several tables. */
    private static final int LOG_SHARED_FRACTION = 64;

    /** Waits for memory that other stores of the slot still hold. */
    private static final int MEMORY_WAITS_MAX = 600;

    private static final long MEMORY_WAIT_MS = 100;

    private final StoreSettings settings;
    private final SlotMemory memory;
    private final MemoryPlan plan;
    private final MemoryBalance balance;
    private final StoreFiles files;
    private final Counters counters;
    private final Tables tables = new Tables();
    private final VersionReader runs;
    private final HybridLog log;
    private final MapReader maps;
    private final MapPrefetch mapPrefetch;
    private final TableLoad tableLoad;
    private final DeferredAdmission deferred = new DeferredAdmission();
    private final StoreJobs jobs;
    private final LargeLists lists;
    private final LargeLists.Sizes listSizes;
    private final ShrinkRequest shrinkRequest;
    private final Bytes tail = new Bytes();
    private CompactionPayoff.Decision payoff = CompactionPayoff.Decision.WAIT_NOTHING_LOST;
    private boolean closed;

    /** A store that has joined its slot's memory by this request, and holds nothing else when it throws. */
    private Store(StoreSettings settings, StoreResources resources, ShrinkRequest shrinkRequest) {
        this.settings = settings;
        this.memory = resources.memory();
        this.shrinkRequest = shrinkRequest;
        this.counters = new Counters(resources.clock());
        this.plan = new MemoryPlan(memory);
        int ioBytes = Math.max(settings.blockBytes(), plan.writeBytes(settings.ioBytes()));
        RunMemory runMemory = new RunMemory(memory.arena(), memory.overdraft());
        RunOptions options = new RunOptions(settings.blockBytes(), settings.pageBytes(), ioBytes, Compression.LZ4);
        ValueLogSet.Sizes logSizes =
                new ValueLogSet.Sizes(settings.runBytesMax() / LOG_SHARED_FRACTION, settings.runBytesMax(), ioBytes);
        this.lists = new LargeLists(settings.listBytesMax());
        this.files =
                new StoreFiles(resources.directory(), resources.ids(), runMemory, options, logSizes, counters, lists);
        Caches caches = new Caches(
                new FrameCache(settings.blockBytes(), plan.framesMax(settings.blockBytes()), memory.arena()),
                new CompressedBlockCache(plan.compressedPagesMax(), memory.arena()),
                new FrameCache(options.pageBytes(), plan.pageFrames(options.pageBytes()), memory.arena()),
                settings.thresholds());
        RunMemory waiting = runMemory.waiting();
        this.runs = new VersionReader(files.refs(), waiting, caches, settings.blockBytes());
        GhostList evictedRecords = plan.recordGhosts();
        this.balance = new MemoryBalance(
                evictedRecords.weight(), plan.shareBytes(), runs.session().disk());
        caches.watch(MemoryBalance.windowBytes(plan.shareBytes()));
        files.placement(new ValuePlacement(settings.placement(), tables));
        runs.leave(plan.scratchPages());
        runs.limitCaches(plan, blockLimits());
        this.log = new HybridLog(memory.arena(), runs, evictedRecords, lists);
        this.listSizes = (key, exactly) -> log.listBytes(key, () -> runs.bytesOf(key, exactly));
        this.maps = new MapReader(log, runs, waiting.overdraft(), this::poll);
        this.mapPrefetch = new MapPrefetch(maps, log, this::keep);
        this.tableLoad = new TableLoad(files, runs, log, this::keep);
        CompactionWriter.Target target = new CompactionWriter.Target(
                resources.directory(),
                files::newName,
                resources.ids(),
                options,
                inputs -> Math.max(settings.blockBytes(), plan.readBytes(settings.ioBytes(), inputs)),
                settings.runBytesMax(),
                settings.keyGroupFrom(),
                settings.keyGroupTo(),
                files.logs(),
                files::newLogs,
                lists,
                files.expiries(),
                counters.compaction);
        CompactionLimits limits = CompactionLimits.of(settings.youngRunsMax(), settings.runBytesMax());
        this.jobs = new StoreJobs(files, log, runs, resources.background(), limits, target, plan);
    }

    /** Opens a store whose owner is always busy, or that is alone in its slot. */
    public static Store open(StoreSettings settings, StoreResources resources, List<StoreImage> parents) {
        return open(settings, resources, parents, () -> {});
    }

    /**
     * Opens a store, empty or on what parents left. The parents' files lie in the directory; their key groups do not
     * overlap. Files not referenced by any parent are deleted.
     *
     * @param onShrinkRequest called, in any thread, when the store should give memory back: an idle owner then calls
     *     {@link #shrink}; a busy one does it by itself
     */
    public static Store open(
            StoreSettings settings, StoreResources resources, List<StoreImage> parents, Runnable onShrinkRequest) {
        ShrinkRequest request = new ShrinkRequest(onShrinkRequest);
        Store store = null;
        boolean opened = false;
        try {
            resources.memory().join(request);
            LeastMemory.check(resources.memory(), settings.blockBytes());
            store = new Store(settings, resources, request);
            new Restore(settings, store.files, store.tables).into(store.runs, parents);
            for (TableInfo table : store.tables.all()) {
                store.log.notWhole(table.number());
            }
            store.log.wholeUnless(store.runs::holdsTable);
            store.jobs.install();
            // Later others may hold all that there is, and not look for a while.
            store.log.prepare(0, HybridLog.pagesMin());
            opened = true;
            return store;
        } catch (IOException e) {
            throw new DreyException(
                    "cannot open a store in " + resources.directory().describe() + ": " + e.getMessage(), e);
        } finally {
            if (!opened && store == null) {
                resources.memory().leave(request);
            } else if (!opened) {
                store.close();
            }
        }
    }

    /** The number of a table, which is made if it is not there; another kind of table of that name is an error. */
    public int table(String name, TableKind kind) {
        return tables.numberOf(name, kind);
    }

    /** All tables, also those that only the restored image knows. */
    public List<TableInfo> tables() {
        return tables.all();
    }

    /** Says that all of a table will be read soon: if it is small and far away, it comes before the rest. */
    public void expect(int table) {
        runs.expect(table);
    }

    /**
     * From now on the store drops entries of a table that have expired, some time after they have; with null it drops
     * none. Until then reads find them: hiding them is the caller's affair.
     */
    public void expire(int table, Expiry expiry) {
        files.expiries().set(table, expiry);
    }

    /**
     * Fills {@code value} with the value of a value, list or map entry; false, and an empty value, if there is none.
     */
    public boolean get(EntryKey key, Bytes value) {
        poll();
        value.clear();
        int found = log.read(key, value);
        if (found == HybridLog.FOUND || found == HybridLog.ABSENT) {
            return found == HybridLog.FOUND;
        }
        if (found == HybridLog.MISS) {
            return readBelow(key, value);
        }
        tail.clear();
        tail.append(value.array(), 0, value.length());
        value.clear();
        runs.read(key, value);
        tail.moveTo(value);
        return true;
    }

    private boolean readBelow(EntryKey key, Bytes value) {
        ReadSession session = runs.session();
        long reads = session.reads();
        long decompressed = session.decompressed();
        boolean isThere = runs.read(key, value);
        if (session.reads() != reads) {
            log.giveBack(logPages());
            runs.noteStalls();
            payoff = runs.payoff(plan);
            if (payoff.isCompaction()) {
                jobs.majorCompaction();
            }
        }
        if (isThere) {
            if (balance.missed(
                    log.wouldBeHere(key),
                    session.decompressed() - decompressed,
                    session.reads() - reads,
                    session.readNanos())) {
                balance.decide(runs.cacheMisses());
                runs.limitCaches(plan, blockLimits());
                jobs.adjustCompaction();
            }
            if (isKept(key, value.length())) {
                deferred.set(key, value);
            }
        }
        if (!key.isMapEntry()) {
            if (!isThere && tableLoad.isDue(key.table(), logPages())) {
                tableLoad.load(key.table(), settings.keyGroupFrom(), settings.keyGroupTo());
            }
        } else if (log.loadsMaps()) {
            loadMap(key);
        }
        return isThere;
    }

    private void loadMap(EntryKey key) {
        keepDeferred();
        if (log.isWorthLoading(key)) {
            mapPrefetch.load(key);
        }
    }

    private void keepDeferred() {
        if (deferred.isWaiting()) {
            deferred.taken();
            copy(deferred.key(), deferred.value().array(), 0, deferred.value().length());
        }
    }

    private MemoryPlan.BlockLimits blockLimits() {
        int percentMax = plan.blocksPercentMax(runs.framePages(), runs.session().disk());
        balance.limit(percentMax);
        return plan.blockLimits(balance.framesPercent(), balance.compressedPercent(), percentMax, runs.frameBytes());
    }

    /** Keeps what was read from runs in the log, if pages are to be had without waiting; whether it is there. */
    public boolean keep(EntryKey key, byte[] value, int offset, int length) {
        return isKept(key, length) && copy(key, value, offset, length);
    }

    private boolean copy(EntryKey key, byte[] value, int offset, int length) {
        return log.prepare(log.bytesFor(key, length), logPages()) && log.keep(key, value, offset, length);
    }

    private boolean isKept(EntryKey key, int length) {
        return log.bytesFor(key, length) <= memory.arena().pageBytes() / KEPT_FRACTION && log.fitsRow(key);
    }

    /** Sets the value of a value, list or map entry. */
    public void put(EntryKey key, byte[] value, int offset, int length) {
        deferred.replaced(key);
        lists.replacing(key);
        if (prepare(key, length)) {
            log.put(key, value, offset, length);
        } else {
            writeDirect(key, EntryKind.VALUE, value, offset, length);
        }
    }

    /** Appends to the value of a list entry without reading it; one that would be too large is an error. */
    public void append(EntryKey key, byte[] bytes, int offset, int length) {
        lists.appending(key, length, listSizes);
        if (prepare(key, length)) {
            log.append(key, bytes, offset, length);
        } else {
            writeDirect(key, EntryKind.APPEND, bytes, offset, length);
        }
    }

    /** Removes a value, list or map entry; one that is not there is fine. */
    public void delete(EntryKey key) {
        lists.replacing(key);
        if (prepare(key, 0)) {
            log.delete(key);
        } else {
            writeDirect(key, EntryKind.TOMBSTONE, key.body(), 0, 0);
        }
    }

    /** Removes all entries of a map. */
    public void clearMap(EntryKey row) {
        row.rowEntry();
        if (prepare(row, 0)) {
            log.clearMap(row);
        } else {
            writeDirect(row, EntryKind.ROW_TOMBSTONE, row.body(), 0, 0);
        }
    }

    public boolean isMapEmpty(EntryKey row) {
        return isMapSurelyEmpty(row)
                || (log.isMapEmpty(row) == HybridLog.MISS
                        && !maps.scan(row, null, 1).next());
    }

    /** Whether memory and filters tell that a map is empty; much cheaper than a scan of one that is. */
    public boolean isMapSurelyEmpty(EntryKey row) {
        poll();
        row.rowEntry();
        int known = log.isMapEmpty(row);
        return known == HybridLog.MISS ? !mayHoldBelow(row) : known == HybridLog.ABSENT;
    }

    private boolean mayHoldBelow(EntryKey row) {
        long reads = runs.reads();
        boolean mayHold = runs.mayHoldRow(row);
        if (runs.reads() != reads) {
            log.giveBack(logPages());
        }
        return mayHold;
    }

    /**
     * Walks a map in byte order of its map keys, starting after {@code after} (or with the first if null). The scan
     * copies entries in batches, holds nothing of the store between calls, may be abandoned, and stays usable while the
     * map changes: an entry added or removed meanwhile may or may not be seen, all others are seen once.
     */
    public MapScan scanMap(EntryKey row, byte[] after) {
        return maps.scan(row, after);
    }

    /**
     * Freezes what is in the store now, in a few milliseconds; {@link StoreSnapshot#await} makes it durable on disk.
     */
    public StoreSnapshot snapshot() {
        return snapshot(false);
    }

    /** The same; or one ahead of it, which leaves it little to write, and lacks what would be little now. */
    public StoreSnapshot snapshot(boolean ahead) {
        poll();
        jobs.reclaim();
        jobs.flushForSnapshot(ahead, logPages());
        return new StoreSnapshot(files, settings, tables.all(), runs.version(), jobs.flushes());
    }

    /**
     * Gives pages back until the store holds no more than its share. For a store that was asked to shrink while idle.
     */
    public void shrink() {
        shrinkRequest.done();
        runs.shrinkCaches(plan, this::blockLimits);
        int pagesMax = plan.logPages(runs.cachePages());
        log.shrink(pagesMax);
        if (log.pagesHeld() > pagesMax) {
            jobs.flush(logPages());
            while (jobs.isFlushing()) {
                jobs.awaitFlush();
            }
            log.shrink(pagesMax);
        }
    }

    /** What the store holds and has done; any thread. */
    public StoreStats stats() {
        return new StoreStats(
                logStats(),
                runs.runStats(),
                counters.jobs(jobs.backlog()),
                counters.io(runs.reads(), runs.bytesRead(), runs.session().readNanos()),
                runs.cacheStats(
                        new StoreStats.Balance(balance.framesPercent(), balance.compressedPercent(), balance.moves())),
                counters.values(runs.values().count()),
                new StoreStats.Tuning(
                        runs.session().disk().grade(),
                        balance.last(),
                        payoff,
                        jobs.compression(),
                        jobs.shape(),
                        jobs.treeReason(),
                        jobs.compactionReason(),
                        jobs.flushReason()));
    }

    private StoreStats.Log logStats() {
        return new StoreStats.Log(
                (long) log.pagesHeld() * memory.arena().pageBytes(),
                log.changedBytes(),
                log.dirtyRecords(),
                log.isFlushing(),
                log.recordsKept(),
                log.recordsMoved(),
                log.recordsCompacted(),
                log.mapsJoined(),
                log.mapsLinked(),
                mapPrefetch.loaded(),
                tableLoad.loaded());
    }

    /** Files of the directory that were still to come are here: what they keep from compaction may begin. Any thread. */
    public void filesHaveCome() {
        jobs.signal();
    }

    private void poll() {
        keepDeferred();
        if (jobs.isSignalled()) {
            jobs.install();
        }
        if (shrinkRequest.isWaiting()) {
            shrink();
        }
    }

    /** Makes room for a change; false if the record is too large for the log. */
    private boolean prepare(EntryKey key, int valueBytes) {
        BlockBuilder.check((long) key.bodyLength() + valueBytes + BlockBuilder.OVERHEAD_BYTES_MAX);
        poll();
        int bytes = log.bytesFor(key, valueBytes);
        int pagesMax = logPages();
        boolean isDirect = isDirect(bytes, pagesMax) || !log.fitsRow(key);
        if (!isDirect && !jobs.isFlushing() && log.isFlushDue(pagesMax)) {
            flushAhead(pagesMax);
        }
        if (jobs.isCrowded()) {
            awaitCompactions();
        }
        return !isDirect && (log.prepare(bytes, pagesMax) || makeRoom(bytes));
    }

    /** Begins a flush before room is needed, unless caches that nobody asks give some. */
    private void flushAhead(int pagesMax) {
        int cachePages = runs.cachePages();
        boolean isUnused = runs.areCachesUnused();
        runs.countCacheUse();
        if (isUnused) {
            runs.halveCaches();
        }
        if (runs.cachePages() == cachePages) {
            jobs.flushAhead(pagesMax);
        }
    }

    private void awaitCompactions() {
        while (jobs.isCrowded()) {
            jobs.awaitCompaction();
        }
    }

    /** Pages for records and their index, less what sorting them will take. */
    private int logPages() {
        int sorting = log.pagesUsed() - log.pagesHeld();
        return Math.max(HybridLog.pagesMin(), plan.logPages(runs.cachePages()) - sorting);
    }

    private boolean isDirect(int bytes, int pagesMax) {
        return log.needsSpan(bytes) && log.spanPages(bytes) > pagesMax / DIRECT_FRACTION;
    }

    /** Flushes and waits until there is room; false if even an empty log has no such room. */
    private boolean makeRoom(int bytes) {
        counters.waitBegins();
        try {
            for (int waits = 0; ; ) {
                if (!jobs.isFlushing()) {
                    jobs.flush(logPages());
                }
                if (jobs.isFlushing()) {
                    jobs.awaitFlush();
                } else if (log.needsSpan(bytes)) {
                    return log.prepare(bytes, logPages());
                } else {
                    awaitMemory(++waits);
                }
                if (log.prepare(bytes, logPages())) {
                    return true;
                }
            }
        } finally {
            counters.waitEnds();
        }
    }

    private void awaitMemory(int waits) {
        if (waits > MEMORY_WAITS_MAX) {
            throw new DreyException("expected " + HybridLog.pagesMin() + " pages of "
                    + memory.arena().pageBytes()
                    + " bytes within " + MEMORY_WAITS_MAX * MEMORY_WAIT_MS + " ms, found "
                    + memory.arena().freePages() + " free of " + memory.arena().pages()
                    + ", the rest held by other operators of the slot: give the slot more managed memory");
        }
        try {
            Thread.sleep(MEMORY_WAIT_MS);
        } catch (InterruptedException e) {
            throw StoreJobs.interrupted(e);
        }
        // A compaction that has ended meanwhile holds the memory of its inputs until it is installed.
        jobs.install();
    }

    /** Writes an entry that does not fit the log into a run of its own, younger than everything. */
    private void writeDirect(EntryKey key, byte kind, byte[] bytes, int offset, int length) {
        jobs.flush(logPages());
        while (jobs.isFlushing()) {
            jobs.awaitFlush();
        }
        log.forget(key);
        try {
            Run run = buildDirect(new SingleCursor(
                    key, kind, bytes, offset, length, files.memory().waiting()));
            files.refs().hold(FileRefs.Holder.FLUSH, List.of(run));
            jobs.installYoungest(run);
        } catch (IOException | DreyException e) {
            throw new DreyException(
                    "cannot write a value of " + length + " bytes in table " + key.table() + " to "
                            + files.directory().describe() + ": " + e.getMessage(),
                    e);
        }
        jobs.install();
    }

    private Run buildDirect(EntryCursor entry) throws IOException {
        jobs.measureValues();
        RunMemory waiting = files.memory().waiting();
        return new FlushWriter(files, jobs.flushed(), files.placement().places(), counters.direct, waiting)
                .write(entry);
    }

    /** Ends background jobs, frees all memory and deletes the local files that no snapshot pins. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            jobs.close();
        } finally {
            closeMemory();
        }
    }

    private void closeMemory() {
        try {
            runs.close();
        } finally {
            log.close();
            files.refs().close();
            memory.leave(shrinkRequest);
        }
    }
}
