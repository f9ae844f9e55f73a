package io.drey.bench.jmh.store;

import io.drey.files.local.LocalDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.ThreadBackground;
import io.drey.store.stats.StoreStats;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;

/** Drey's store, as the state backend drives it: one address and one buffer that are reused. */
final class DreyByteStore implements ByteStore {
    private static final int PAGE_BYTES = 64 << 10;
    private static final long QUIET_NANOS = 1_000_000_000;
    private static final long SETTLE_NANOS_MAX = 120_000_000_000L;
    private static final byte[] NAMESPACE = {0};

    private final SlotMemory memory;
    private final ThreadBackground background = new ThreadBackground();
    private final Store store;
    private final int values;
    private final int lists;
    private final int maps;
    private final EntryKey entry = new EntryKey();
    private final Bytes read = new Bytes();

    DreyByteStore(Path folder, long memoryBytes) throws IOException {
        memory = new SlotMemory(memoryBytes, PAGE_BYTES);
        StoreResources resources = new StoreResources(LocalDirectory.at(folder), memory, background);
        store = Store.open(StoreSettings.of(0, RecordKey.KEY_GROUPS - 1), resources, List.of());
        values = store.table("values", TableKind.VALUE);
        lists = store.table("lists", TableKind.LIST);
        maps = store.table("maps", TableKind.MAP);
    }

    private EntryKey address(int table, RecordKey key) {
        return entry.row(table, key.keyGroup(), key.bytes(), key.length(), NAMESPACE, NAMESPACE.length);
    }

    @Override
    public int get(RecordKey key) {
        return store.get(address(values, key), read) ? read.length() : -1;
    }

    @Override
    public void put(RecordKey key, byte[] value, int length) {
        store.put(address(values, key), value, 0, length);
    }

    @Override
    public void update(RecordKey key) {
        store.get(address(values, key), read);
        read.array()[0]++;
        store.put(entry, read.array(), 0, read.length());
    }

    @Override
    public void append(RecordKey key, byte[] element, int length) {
        store.append(address(lists, key), element, 0, length);
    }

    @Override
    public int getList(RecordKey key) {
        return store.get(address(lists, key), read) ? read.length() : -1;
    }

    @Override
    public int getEntry(RecordKey key, byte[] mapKey) {
        return store.get(address(maps, key).mapKey(mapKey, 0, mapKey.length), read) ? read.length() : -1;
    }

    @Override
    public void putEntry(RecordKey key, byte[] mapKey, byte[] value, int length) {
        store.put(address(maps, key).mapKey(mapKey, 0, mapKey.length), value, 0, length);
    }

    @Override
    public long scan(RecordKey key) {
        MapScan scan = store.scanMap(address(maps, key), null);
        long bytes = 0;
        while (scan.next()) {
            bytes += scan.keyLength() + scan.valueLength();
        }
        return bytes;
    }

    @Override
    public boolean isMapEmpty(RecordKey key) {
        return store.isMapEmpty(address(maps, key));
    }

    @Override
    public Snapshot snapshot() {
        StoreSnapshot snapshot = store.snapshot();
        return () -> {
            try (snapshot) {
                snapshot.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException("interrupted while a snapshot was written");
            }
        };
    }

    @Override
    public void settle() throws Exception {
        snapshot().close();
        RecordKey absent = new RecordKey().of(-1);
        long start = System.nanoTime();
        long changed = start;
        StoreStats before = store.stats();
        while (System.nanoTime() - changed < QUIET_NANOS) {
            if (System.nanoTime() - start > SETTLE_NANOS_MAX) {
                throw new IllegalStateException("expected flushes and compactions to end within two minutes, found "
                        + store.stats() + " after " + before);
            }
            Thread.sleep(20);
            // Installs what is finished, which starts what follows from it.
            get(absent);
            StoreStats now = store.stats();
            if (now.jobs().compactions() != before.jobs().compactions()
                    || now.jobs().flushes() != before.jobs().flushes()) {
                changed = System.nanoTime();
                before = now;
            }
        }
    }

    @Override
    public void close() {
        store.close();
        background.close();
        memory.close();
    }
}
