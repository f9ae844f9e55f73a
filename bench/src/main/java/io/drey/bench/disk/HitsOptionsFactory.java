package io.drey.bench.disk;

import java.util.Collection;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.state.rocksdb.ConfigurableRocksDBOptionsFactory;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;

/**
 * Leaves RocksDB without filters in its last level, which are of no use where most keys are found. Flink has no option
 * for that, and makes this by its name.
 */
public final class HitsOptionsFactory implements ConfigurableRocksDBOptionsFactory {
    private static final long serialVersionUID = 1L;

    /** Whether it also goes past the page cache. */
    static final ConfigOption<Boolean> DIRECT_IO = ConfigOptions.key("state.backend.rocksdb.options-factory.direct-io")
            .booleanType()
            .defaultValue(false);

    private boolean directIo;

    @Override
    public DBOptions createDBOptions(DBOptions options, Collection<AutoCloseable> handlesToClose) {
        return directIo ? new DirectIoOptionsFactory().createDBOptions(options, handlesToClose) : options;
    }

    @Override
    public ColumnFamilyOptions createColumnOptions(
            ColumnFamilyOptions options, Collection<AutoCloseable> handlesToClose) {
        return options.setOptimizeFiltersForHits(true);
    }

    @Override
    public RocksDBOptionsFactory configure(ReadableConfig configuration) {
        directIo = configuration.get(DIRECT_IO);
        return this;
    }
}
