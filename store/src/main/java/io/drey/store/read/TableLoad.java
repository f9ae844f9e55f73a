package io.drey.store.read;

import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.HybridLog;
import io.drey.store.run.RunView;
import io.drey.store.run.TableCount;
import io.drey.store.version.StoreFiles;
import java.util.Arrays;

/**
 * Brings a small table of values or lists back into memory whole, after a restore or when memory was short for a while:
 * once runs were asked for what is not there as often as the table has entries, which costs about what reading all of
 * it does. From then on absent entries cost nothing again. One thread; does all of it at once.
 *
 * <p>Nothing may change meanwhile: what the log has is newer than what runs have of it, and a tombstone that left the
 * log is in the runs that are read.
 */
public final class TableLoad {
    /** Most bytes of blocks that a table may have, so that reading it takes half a second of a slow disk. */
    private static final long BYTES_MAX = 8 << 20;

    /** Fewest questions after which it is worth a thought; the next thought comes after as many more. */
    private static final int ABSENT_MIN = 64;

    /** About what a record takes in the log beside its block's bytes, of which there are some times as many unpacked. */
    private static final int RECORD_BYTES = 64;

    private static final int UNPACKED_FACTOR = 3;

    private final StoreFiles files;
    private final VersionReader runs;
    private final HybridLog log;
    private final MapPrefetch.Admission admission;
    private final EntryKey key = new EntryKey();
    private final Bytes row = new Bytes();
    private final Bytes value = new Bytes();
    private int[] absents = new int[16];
    private long loaded;

    /** @param admission keeps what is read */
    public TableLoad(StoreFiles files, VersionReader runs, HybridLog log, MapPrefetch.Admission admission) {
        this.files = files;
        this.runs = runs;
        this.log = log;
        this.admission = admission;
    }

    /** Tables that were brought into memory so far. */
    public long loaded() {
        return loaded;
    }

    /**
     * Runs were asked for a value or list of a table that is not there: whether the table should be loaded, into at
     * most so many pages. Hot path.
     */
    public boolean isDue(int table, int pagesMax) {
        if (table >= absents.length) {
            absents = Arrays.copyOf(absents, Math.max(table + 1, 2 * absents.length));
        }
        int absent = ++absents[table];
        return (absent & absent - 1) == 0 && absent >= ABSENT_MIN && isWorthIt(table, absent, pagesMax);
    }

    private boolean isWorthIt(int table, int absent, int pagesMax) {
        long entries = 0;
        long bytes = 0;
        for (RunView view : runs.version().views().toList()) {
            for (TableCount count : view.run().info().tables()) {
                entries += count.table() == table ? count.entries() : 0;
            }
            bytes += view.clipPrefixes(EntryKey.prefix(table, 0, 0), EntryKey.prefix(table + 1, 0, 0))
                    .bytes();
        }
        return absent >= entries
                && bytes <= BYTES_MAX
                && log.hasRoomFor(entries * RECORD_BYTES + bytes * UNPACKED_FACTOR, pagesMax);
    }

    /** Reads a table whole; if not all of it fits, some of it is in memory afterwards. */
    public void load(int table, int keyGroupFrom, int keyGroupTo) {
        // From now on whatever leaves memory says so.
        log.whole(table);
        boolean isEnded = false;
        try (EntryCursor entries = new SnapshotCursor(files, runs.version(), table, keyGroupFrom, keyGroupTo)) {
            while (log.isWhole(table) && entries.next()) {
                if (!isKept(entries)) {
                    log.notWhole(table);
                }
            }
            isEnded = true;
        } finally {
            if (!isEnded) {
                log.notWhole(table);
            }
        }
        loaded += log.isWhole(table) ? 1 : 0;
    }

    private boolean isKept(EntryCursor entry) {
        row.clear();
        row.append(entry.bodyAddress(), entry.rowLength());
        key.rawRow(entry.table(), entry.keyGroup(), row);
        if (log.holds(key)) {
            return true;
        }
        value.clear();
        value.append(entry.valueAddress(), entry.valueLength());
        return admission.keep(key, value.array(), 0, value.length());
    }
}
