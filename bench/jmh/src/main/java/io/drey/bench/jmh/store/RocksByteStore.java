package io.drey.bench.jmh.store;

import io.drey.bench.contender.Contenders;
import io.drey.bench.folder.FolderTree;
import io.drey.bench.jmh.setup.BackendEnvironment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.state.rocksdb.PredefinedOptions;
import org.apache.flink.state.rocksdb.RocksDBMemoryConfiguration;
import org.apache.flink.state.rocksdb.RocksDBMemoryControllerUtils.RocksDBMemoryFactory;
import org.apache.flink.state.rocksdb.RocksDBOperationUtils;
import org.apache.flink.state.rocksdb.RocksDBResourceContainer;
import org.apache.flink.state.rocksdb.RocksIteratorWrapper;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import org.slf4j.LoggerFactory;

/**
 * RocksDB through JNI, opened with the options and memory that Flink makes of a contender's configuration, and driven
 * as Flink's RocksDB states do it: a column family a state, a new {@code byte[]} of key group prefix, key and namespace
 * for every call, kept write and read options, and an iterator with a seek to the prefix for every walk of a map.
 */
final class RocksByteStore implements ByteStore {
    private static final long SETTLE_NANOS_MAX = 300_000_000_000L;

    private final BackendEnvironment environment;
    private final RocksDBResourceContainer options;
    private final RocksDB db;
    private final List<ColumnFamilyHandle> families = new ArrayList<>();
    private final ColumnFamilyHandle values;
    private final ColumnFamilyHandle lists;
    private final ColumnFamilyHandle maps;
    private final WriteOptions writes;
    private final ReadOptions reads;
    private final Path folder;
    private final byte[] composite = new byte[64];
    private int rowLength;
    private int checkpoints;

    RocksByteStore(String contender, Path folder, long memoryBytes) throws Exception {
        this.folder = folder;
        RocksDB.loadLibrary();
        Configuration config = Configuration.fromMap(
                new Contenders(memoryBytes).named(contender).options());
        environment = new BackendEnvironment(folder.resolve("flink"), memoryBytes);
        RocksDBMemoryConfiguration memory =
                RocksDBMemoryConfiguration.fromOtherAndConfiguration(new RocksDBMemoryConfiguration(), config);
        memory.setFixedMemoryPerSlot(new MemorySize(memoryBytes));
        var shared = RocksDBOperationUtils.allocateSharedCachesIfConfigured(
                memory,
                environment.environment(),
                1,
                LoggerFactory.getLogger(RocksByteStore.class),
                RocksDBMemoryFactory.DEFAULT);
        options = new RocksDBResourceContainer(config, PredefinedOptions.DEFAULT, null, shared, folder.toFile(), false);
        db = RocksDBOperationUtils.openDB(
                folder.resolve("db").toString(),
                List.of(),
                families,
                RocksDBOperationUtils.createColumnFamilyOptions(name -> options.getColumnOptions(), "default"),
                options.getDbOptions());
        values = family("values");
        lists = family("lists");
        maps = family("maps");
        writes = options.getWriteOptions();
        reads = options.getReadOptions();
    }

    private ColumnFamilyHandle family(String name) throws RocksDBException {
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(
                name.getBytes(StandardCharsets.UTF_8),
                RocksDBOperationUtils.createColumnFamilyOptions(state -> options.getColumnOptions(), name)));
        families.add(family);
        return family;
    }

    /** Key group prefix and key: what Flink serializes once for a record. */
    private void set(RecordKey key) {
        composite[0] = (byte) key.keyGroup();
        System.arraycopy(key.bytes(), 0, composite, 1, key.length());
        rowLength = 1 + key.length();
    }

    /** A copy of it with the namespace, which Flink makes for every call. */
    private byte[] row() {
        composite[rowLength] = 0;
        return Arrays.copyOf(composite, rowLength + 1);
    }

    private byte[] entry(byte[] mapKey) {
        composite[rowLength] = 0;
        System.arraycopy(mapKey, 0, composite, rowLength + 1, mapKey.length);
        return Arrays.copyOf(composite, rowLength + 1 + mapKey.length);
    }

    @Override
    public int get(RecordKey key) throws RocksDBException {
        return get(values, key);
    }

    private int get(ColumnFamilyHandle family, RecordKey key) throws RocksDBException {
        set(key);
        byte[] value = db.get(family, row());
        return value == null ? -1 : value.length;
    }

    @Override
    public void put(RecordKey key, byte[] value, int length) throws RocksDBException {
        set(key);
        db.put(values, writes, row(), Arrays.copyOf(value, length));
    }

    @Override
    public void update(RecordKey key) throws RocksDBException {
        set(key);
        byte[] value = db.get(values, row());
        value[0]++;
        db.put(values, writes, row(), value);
    }

    @Override
    public void append(RecordKey key, byte[] element, int length) throws RocksDBException {
        set(key);
        db.merge(lists, writes, row(), Arrays.copyOf(element, length));
    }

    @Override
    public int getList(RecordKey key) throws RocksDBException {
        return get(lists, key);
    }

    @Override
    public int getEntry(RecordKey key, byte[] mapKey) throws RocksDBException {
        set(key);
        byte[] value = db.get(maps, entry(mapKey));
        return value == null ? -1 : value.length;
    }

    @Override
    public void putEntry(RecordKey key, byte[] mapKey, byte[] value, int length) throws RocksDBException {
        set(key);
        db.put(maps, writes, entry(mapKey), Arrays.copyOf(value, length));
    }

    @Override
    public long scan(RecordKey key) {
        set(key);
        byte[] prefix = row();
        long bytes = 0;
        try (RocksIteratorWrapper entries = RocksDBOperationUtils.getRocksIterator(db, maps, reads)) {
            entries.seek(prefix);
            while (entries.isValid()) {
                byte[] found = entries.key();
                if (!startsWith(found, prefix)) {
                    break;
                }
                bytes += found.length - prefix.length + entries.value().length;
                entries.next();
            }
        }
        return bytes;
    }

    private static boolean startsWith(byte[] bytes, byte[] prefix) {
        if (bytes.length < prefix.length) {
            return false;
        }
        // Backwards, as Flink does it: keys that are neighbours differ at their end.
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (bytes[i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean isMapEmpty(RecordKey key) {
        set(key);
        byte[] prefix = row();
        try (RocksIteratorWrapper entries = RocksDBOperationUtils.getRocksIterator(db, maps, reads)) {
            entries.seek(prefix);
            return !entries.isValid() || !startsWith(entries.key(), prefix);
        }
    }

    @Override
    public Snapshot snapshot() throws Exception {
        Path checkpoint = folder.resolve("checkpoint-" + checkpoints++);
        try (Checkpoint maker = Checkpoint.create(db)) {
            maker.createCheckpoint(checkpoint.toString());
        }
        return () -> FolderTree.delete(checkpoint);
    }

    @Override
    public void settle() throws Exception {
        try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
            db.flush(flush, families);
        }
        long start = System.nanoTime();
        while (isBusy()) {
            if (System.nanoTime() - start > SETTLE_NANOS_MAX) {
                throw new IllegalStateException("expected RocksDB's compactions to end within five minutes");
            }
            Thread.sleep(50);
        }
    }

    private boolean isBusy() throws RocksDBException {
        for (ColumnFamilyHandle family : families) {
            if (db.getLongProperty(family, "rocksdb.num-running-compactions") > 0
                    || db.getLongProperty(family, "rocksdb.num-running-flushes") > 0
                    || db.getLongProperty(family, "rocksdb.compaction-pending") > 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        families.forEach(ColumnFamilyHandle::close);
        db.close();
        try {
            options.close();
        } catch (Exception e) {
            throw new IOException("RocksDB's options could not be freed", e);
        } finally {
            environment.close();
        }
    }
}
