package io.drey.bench.disk;

import java.util.Collection;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.state.rocksdb.ConfigurableRocksDBOptionsFactory;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;

/**
 * Lets RocksDB read and write past the page cache, so that a rationed disk is not hidden by the machine's memory.
 * Flink makes it by its name, from {@code state.backend.rocksdb.options-factory}.
 */
public final class DirectIoOptionsFactory implements ConfigurableRocksDBOptionsFactory {
    private static final long serialVersionUID = 1L;

    /** With direct I/O nothing else reads ahead for a compaction; this much is what RocksDB advises. */
    private static final long COMPACTION_READ_AHEAD_BYTES = 2 << 20;

    @Override
    public DBOptions createDBOptions(DBOptions options, Collection<AutoCloseable> handlesToClose) {
        return options.setUseDirectReads(true)
                .setUseDirectIoForFlushAndCompaction(true)
                .setCompactionReadaheadSize(COMPACTION_READ_AHEAD_BYTES);
    }

    @Override
    public ColumnFamilyOptions createColumnOptions(
            ColumnFamilyOptions options, Collection<AutoCloseable> handlesToClose) {
        return options;
    }

    @Override
    public RocksDBOptionsFactory configure(ReadableConfig configuration) {
        return this;
    }
}
