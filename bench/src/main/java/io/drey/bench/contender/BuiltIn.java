package io.drey.bench.contender;

import io.drey.bench.contender.Contender.Home;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The contenders that are known here: Drey, and what Flink ships. */
final class BuiltIn {
    static final String TYPE = "state.backend.type";

    private static final String ROCKSDB = "state.backend.rocksdb.";
    private static final String CHANGELOG = "state.changelog.";

    /**
     * A cell lasts about a minute, in which the usual ten minutes between materializations would never be over: the log
     * would be neither cut off nor would the work for it be seen.
     */
    private static final String MATERIALIZE_INTERVAL = "20 s";

    private static final Map<String, String> DREY_DIRECT_IO = Map.of("state.backend.drey.io.direct", "true");
    private static final Map<String, String> ROCKSDB_DIRECT_IO =
            Map.of(ROCKSDB + "options-factory", "io.drey.bench.disk.DirectIoOptionsFactory");

    private BuiltIn() {}

    /** All of them, in the order of reports. */
    static List<Contender> all(long managedBytes) {
        return List.of(
                on("drey", "Drey", "io.drey.flink.state.DreyStateBackendFactory", Home.DISK, DREY_DIRECT_IO),
                on("hashmap", "HashMap", "hashmap", Home.HEAP, Map.of()),
                on("rocksdb", "RocksDB", "rocksdb", Home.DISK, ROCKSDB_DIRECT_IO),
                tunedRocksDb(managedBytes),
                hitsRocksDb(tunedRocksDb(managedBytes)),
                on("forst", "ForSt", "forst", Home.DISK, Map.of()),
                changelog("changelog-rocksdb", "Changelog over RocksDB", "rocksdb", Home.DISK, ROCKSDB_DIRECT_IO),
                changelog("changelog-hashmap", "Changelog over HashMap", "hashmap", Home.HEAP, Map.of()),
                on("no-state", "No state", "hashmap", Home.NONE, Map.of()));
    }

    private static Contender on(String name, String title, String type, Home home, Map<String, String> directIo) {
        return new Contender(name, title, Map.of(TYPE, type), List.of(), home, directIo);
    }

    private static Contender tunedRocksDb(long managedBytes) {
        RocksDbTuning tuning = RocksDbTuning.of(managedBytes);
        Map<String, String> options = new HashMap<>();
        options.put(TYPE, "rocksdb");
        options.put(ROCKSDB + "memory.partitioned-index-filters", "true");
        options.put(ROCKSDB + "memory.write-buffer-ratio", tuning.writeBufferRatio());
        options.put(ROCKSDB + "use-bloom-filter", "true");
        options.put(ROCKSDB + "bloom-filter.bits-per-key", "10.0");
        options.put(ROCKSDB + "compression.per.level", "LZ4_COMPRESSION");
        options.put(ROCKSDB + "block.blocksize", "4kb");
        options.put(ROCKSDB + "writebuffer.size", tuning.writeBufferBytes() + "b");
        options.put(ROCKSDB + "writebuffer.count", "4");
        options.put(ROCKSDB + "writebuffer.number-to-merge", "3");
        options.put(ROCKSDB + "compaction.level.target-file-size-base", tuning.targetFileBytes() + "b");
        return new Contender("rocksdb-tuned", "RocksDB, tuned", options, List.of(), Home.DISK, ROCKSDB_DIRECT_IO);
    }

    private static Contender hitsRocksDb(Contender tuned) {
        Map<String, String> options = new HashMap<>(tuned.options());
        options.put(ROCKSDB + "options-factory", "io.drey.bench.disk.HitsOptionsFactory");
        Map<String, String> directIo = Map.of(ROCKSDB + "options-factory.direct-io", "true");
        return new Contender("rocksdb-hits", "RocksDB, tuned for hits", options, List.of(), Home.DISK, directIo);
    }

    private static Contender changelog(
            String name, String title, String type, Home home, Map<String, String> directIo) {
        Map<String, String> options = Map.of(
                TYPE,
                type,
                CHANGELOG + "enabled",
                "true",
                CHANGELOG + "storage",
                "filesystem",
                CHANGELOG + "periodic-materialize.interval",
                MATERIALIZE_INTERVAL);
        return new Contender(name, title, options, List.of(), home, directIo);
    }
}
