package io.drey.bench.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.state.rocksdb.RocksDBOptionsFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

final class DirectIoOptionsFactoryTest {
    private static final int VALUES = 200;
    private static final int VALUE_BYTES = 4096;

    @TempDir
    Path directory;

    @Test
    void flinkFindsItByName() {
        Configuration configuration = new Configuration();
        configuration.setString("state.backend.rocksdb.options-factory", DirectIoOptionsFactory.class.getName());
        RocksDBOptionsFactory found = new EmbeddedRocksDBStateBackend()
                .configure(configuration, getClass().getClassLoader())
                .getRocksDBOptions();
        assertThat(found).isInstanceOf(DirectIoOptionsFactory.class);
    }

    /** What was read a moment ago comes from the disk again: the page cache is out of the way. */
    @Test
    void everyReadReachesTheDisk() throws RocksDBException, IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/self/io")), "the system counts no I/O per process");
        RocksDB.loadLibrary();
        try (DBOptions base = new DBOptions().setCreateIfMissing(true);
                DBOptions direct = new DirectIoOptionsFactory().createDBOptions(base, new ArrayList<>());
                ColumnFamilyOptions column = new ColumnFamilyOptions()
                        .setTableFormatConfig(new BlockBasedTableConfig().setNoBlockCache(true));
                Options options = new Options(direct, column);
                RocksDB db = open(options)) {
            SplittableRandom random = new SplittableRandom(1);
            for (int i = 0; i < VALUES; i++) {
                byte[] value = new byte[VALUE_BYTES];
                random.nextBytes(value);
                value[0] = (byte) i;
                db.put(key(i), value);
            }
            try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
                db.flush(flush);
            }
            readAll(db);
            long before = bytesFromDisk();
            readAll(db);
            assertThat(bytesFromDisk() - before).isGreaterThanOrEqualTo((long) VALUES * VALUE_BYTES);
        }
    }

    private RocksDB open(Options options) throws RocksDBException {
        try {
            return RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            assumeTrue(
                    !String.valueOf(e.getMessage()).contains("irect I/O"), "no direct I/O in the temporary directory");
            throw e;
        }
    }

    private static byte[] key(int i) {
        return ("key " + i).getBytes(UTF_8);
    }

    private static void readAll(RocksDB db) throws RocksDBException {
        for (int i = 0; i < VALUES; i++) {
            assertThat(db.get(key(i))[0]).isEqualTo((byte) i);
        }
    }

    private static long bytesFromDisk() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/io"))) {
            if (line.startsWith("read_bytes:")) {
                return Long.parseLong(line.substring(line.indexOf(' ') + 1));
            }
        }
        throw new IOException("expected read_bytes in /proc/self/io, found none");
    }
}
