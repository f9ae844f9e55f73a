package io.drey.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;

final class HitsOptionsFactoryTest {
    private RocksDBOptionsFactory factory(String directIo) {
        Configuration configuration = Configuration.fromMap(Map.of(
                "state.backend.rocksdb.options-factory",
                "io.drey.bench.disk.HitsOptionsFactory",
                "state.backend.rocksdb.options-factory.direct-io",
                directIo));
        return new EmbeddedRocksDBStateBackend()
                .configure(configuration, getClass().getClassLoader())
                .getRocksDBOptions();
    }

    @Test
    void theLastLevelHasNoFiltersAndReadsGoPastThePageCacheIfTheyAreTo() {
        RocksDB.loadLibrary();
        try (ColumnFamilyOptions column = new ColumnFamilyOptions();
                DBOptions database = new DBOptions();
                DBOptions direct = new DBOptions()) {
            factory("false").createColumnOptions(column, new ArrayList<>());
            assertThat(column.optimizeFiltersForHits()).isTrue();
            factory("false").createDBOptions(database, new ArrayList<>());
            assertThat(database.useDirectReads()).isFalse();
            factory("true").createDBOptions(direct, new ArrayList<>());
            assertThat(direct.useDirectReads()).isTrue();
        }
    }
}
