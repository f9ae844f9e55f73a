package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.ReadableFile;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileVersionException;
import io.drey.store.block.Compression;
import io.drey.store.cache.CompressedBlockCache;
import io.drey.store.cache.FrameCache;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.file.FileId;
import io.drey.store.inspect.RunVerifier;
import io.drey.store.tuning.ReadThresholds;
import io.drey.store.value.ValueCompressor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Files of every released version stay readable, and no damage goes unseen. */
class RunFormatTest {
    private static final FileId ID = new FileId(0x0123456789abcdefL, 0xfedcba9876543210L);
    private static final int VERSION_OFFSET = 8;
    private static final int KIND_OFFSET = 4;

    /** What the golden files hold: values, a list, a map over several blocks, tombstones of all kinds. */
    private static TreeMap<TestEntry.Address, TestEntry> expected() {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            add(entries, 1, "user-" + i, null, EntryKind.VALUE, "value of user " + i);
            add(entries, 2, "list-" + i, null, i % 2 == 0 ? EntryKind.APPEND : EntryKind.TOMBSTONE, "element " + i);
        }
        for (int i = 0; i < 40; i++) {
            add(entries, 3, "map", "key " + i, i % 9 == 8 ? EntryKind.TOMBSTONE : EntryKind.VALUE, "entry " + i);
        }
        add(entries, 3, "cleared", null, EntryKind.ROW_TOMBSTONE, "");
        add(entries, 3, "cleared", "key", EntryKind.VALUE, "after the clear");
        add(entries, 3, "gone", null, EntryKind.ROW_TOMBSTONE, "");
        return entries;
    }

    private static void add(
            TreeMap<TestEntry.Address, TestEntry> entries,
            int table,
            String key,
            String mapKey,
            byte kind,
            String value) {
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        byte[] mapKeyBytes = mapKey == null ? null : mapKey.getBytes(StandardCharsets.UTF_8);
        TestEntry.Address address = TestEntry.address(
                TestEntry.key(table, key.length(), keyBytes, "ns".getBytes(StandardCharsets.UTF_8), mapKeyBytes));
        boolean hasValue = kind == EntryKind.VALUE || kind == EntryKind.APPEND;
        byte[] bytes = hasValue ? value.getBytes(StandardCharsets.UTF_8) : new byte[0];
        entries.put(address, new TestEntry(address, kind, bytes));
    }

    /** What the golden file of compressed values holds: some of them as they are, as a sample. */
    private static TreeMap<TestEntry.Address, TestEntry> expectedCompressed() {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            StringBuilder value = new StringBuilder();
            for (int part = 1; part <= 20; part++) {
                value.append(String.format(Locale.ROOT, "%08x, so said a user; ", (100 * i + part) * 0x9E3779B1));
            }
            add(entries, 1, "user-" + i, null, EntryKind.VALUE, value.toString());
        }
        add(entries, 1, "nobody", null, EntryKind.TOMBSTONE, "");
        return entries;
    }

    private static RunOptions options(Compression compression) {
        return new RunOptions(512, 100, 4096, compression);
    }

    private static byte[] write(TestRuns runs, Compression compression) throws IOException {
        try (TestCursor cursor = new TestCursor(expected().values())) {
            return write(runs, cursor, compression, expected().size());
        }
    }

    private static byte[] writeCompressed(TestRuns runs) throws IOException {
        try (ValueCompressor compressor = runs.compressor(options(Compression.LZ4));
                EntryCursor cursor =
                        TestRuns.compressed(new TestCursor(expectedCompressed().values()), compressor)) {
            byte[] bytes =
                    write(runs, cursor, Compression.LZ4, expectedCompressed().size());
            assertThat(compressor.count()).isGreaterThan(5);
            return bytes;
        }
    }

    private static byte[] write(TestRuns runs, EntryCursor cursor, Compression compression, int entries)
            throws IOException {
        RunWriter writer = new RunWriter(runs.directory.create("written"), ID, options(compression), runs.memory());
        while (cursor.next()) {
            writer.add(cursor);
        }
        assertThat(writer.finish().entries()).isEqualTo(entries);
        byte[] bytes = runs.directory.content("written");
        runs.directory.delete("written");
        return bytes;
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = RunFormatTest.class.getResourceAsStream("/golden/" + name)) {
            return in.readAllBytes();
        }
    }

    @Test
    void readsGoldenFilesOfVersion2() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            assertThat(readAll(runs, golden("run-2-lz4.drey")))
                    .isEqualTo(new ArrayList<>(expected().values()));
            assertThat(readAll(runs, golden("run-2-zstd.drey")))
                    .isEqualTo(new ArrayList<>(expected().values()));
            assertThat(readAll(runs, golden("run-2-raw.drey")))
                    .isEqualTo(new ArrayList<>(expected().values()));
            assertThat(readAll(runs, golden("run-2-compressed.drey")))
                    .isEqualTo(new ArrayList<>(expectedCompressed().values()));
        }
    }

    @Test
    void refusesVersion1WhichWasNeverReleased() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            for (String name :
                    List.of("run-1-lz4.drey", "run-1-zstd.drey", "run-1-raw.drey", "run-1-compressed.drey")) {
                byte[] bytes = golden(name);
                assertThatThrownBy(() -> readAll(runs, bytes))
                        .isInstanceOf(FileVersionException.class)
                        .hasMessageContaining("expected a run of version 2, found an older one, 1");
            }
        }
    }

    @Test
    void seesEachFlippedBitOfCompressedValues() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            byte[] bytes = writeCompressed(runs);
            assertThat(bytes.length).isBetween(1000, 8000);
            seesEachFlippedBit(runs, bytes);
            assertThat(readAll(runs, bytes)).hasSize(expectedCompressed().size());
        }
    }

    @Test
    void writesVersion2AsItAlwaysDid() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            assertThat(write(runs, Compression.NONE)).isEqualTo(golden("run-2-raw.drey"));
        }
    }

    @Test
    void seesEachFlippedBit() throws IOException {
        for (Compression compression : Compression.values()) {
            try (TestRuns runs = new TestRuns()) {
                byte[] bytes = write(runs, compression);
                assertThat(bytes.length).isBetween(1000, 8000);
                seesEachFlippedBit(runs, bytes);
                assertThat(readAll(runs, bytes)).hasSize(expected().size());
            }
        }
    }

    private static void seesEachFlippedBit(TestRuns runs, byte[] bytes) {
        for (int bit = 0; bit < bytes.length * 8; bit += 1 + bit % 3) {
            bytes[bit >>> 3] ^= (byte) (1 << (bit & 7));
            assertThatThrownBy(() -> readAll(runs, bytes))
                    .as("bit %d", bit)
                    .isInstanceOfAny(CorruptFileException.class, FileVersionException.class)
                    .hasMessageContaining("file under test");
            bytes[bit >>> 3] ^= (byte) (1 << (bit & 7));
        }
    }

    @Test
    void seesAFileCutOrGrown() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            byte[] bytes = write(runs, Compression.LZ4);
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = java.util.Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> readAll(runs, cut)).isInstanceOf(CorruptFileException.class);
            }
            byte[] grown = java.util.Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> readAll(runs, grown)).isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void seesABlockInAnotherPlaceOrOfAnotherFile() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            byte[] bytes = write(runs, Compression.NONE);
            byte[] moved = bytes.clone();
            System.arraycopy(bytes, 32, moved, 532, 400);
            assertThatThrownBy(() -> readAll(runs, moved)).isInstanceOf(CorruptFileException.class);
            byte[] other = bytes.clone();
            ByteBuffer header = ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN);
            header.putLong(12, 42);
            header.putInt(28, new Checksum().of(other, 0, 28, 0));
            assertThatThrownBy(() -> readAll(runs, other)).isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void verifyingSeesDamageOfFilterPagesToo() throws IOException {
        try (TestRuns runs = new TestRuns();
                ReadSession session = ReadSession.background(runs.memory(), 1000)) {
            byte[] bytes = write(runs, Compression.LZ4);
            int detected = 0;
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] ^= 16;
                try (Run run = Run.open(new BytesFile(bytes), runs.memory(), runs.logs())) {
                    RunVerifier.verify(run, session);
                } catch (CorruptFileException | FileVersionException e) {
                    detected++;
                }
                bytes[i] ^= 16;
            }
            assertThat(detected).isEqualTo(bytes.length);
            try (Run run = Run.open(new BytesFile(bytes), runs.memory(), runs.logs())) {
                RunVerifier.verify(run, session);
            }
        }
    }

    @Test
    void tellsOtherKindsAndVersionsFromDamage() throws IOException {
        try (TestRuns runs = new TestRuns()) {
            byte[] bytes = write(runs, Compression.LZ4);
            assertThatThrownBy(() -> readAll(runs, patched(bytes, VERSION_OFFSET, 3)))
                    .isInstanceOf(FileVersionException.class)
                    .hasMessageContaining("a newer one, 3");
            assertThatThrownBy(() -> readAll(runs, patched(bytes, VERSION_OFFSET, 0)))
                    .isInstanceOf(FileVersionException.class)
                    .hasMessageContaining("an older one, 0");
            assertThatThrownBy(() -> readAll(runs, patched(bytes, KIND_OFFSET, 7)))
                    .isInstanceOf(FileVersionException.class)
                    .hasMessageContaining("expected a run, found a file of kind 7");
            assertThatThrownBy(() -> readAll(runs, patched(bytes, 0, 7)))
                    .isInstanceOf(FileVersionException.class)
                    .hasMessageContaining("expected a file of Drey");
        }
    }

    private static byte[] patched(byte[] bytes, int offset, int value) {
        byte[] patched = bytes.clone();
        ByteBuffer header = ByteBuffer.wrap(patched).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(offset, value);
        header.putInt(28, new Checksum().of(patched, 0, 28, 0));
        return patched;
    }

    /** Opens the file, scans it and looks up each entry, and thereby reads each of its bytes. */
    private static List<TestEntry> readAll(TestRuns runs, byte[] bytes) throws IOException {
        FrameCache filters = new FrameCache(512, 100, runs.arena());
        CompressedBlockCache compressed = new CompressedBlockCache(20, runs.arena());
        try (filters;
                compressed;
                Run run = Run.open(new BytesFile(bytes), runs.memory(), runs.logs());
                ReadSession background = ReadSession.background(runs.memory(), 1000);
                ReadSession owner = ReadSession.owner(
                        runs.memory(), new Caches(null, compressed, filters, ReadThresholds.ANY), 1000)) {
            RunView view = RunView.of(run);
            background.decompressValues(true);
            List<TestEntry> entries = TestCursor.drain(view.range(0, RunView.NO_END, background));
            for (TestEntry entry : entries) {
                if (view.find(TestRuns.key(entry.address()), owner) != entry.kind()) {
                    throw new DreyException("lost " + entry);
                }
            }
            return entries;
        }
    }

    private record BytesFile(byte[] bytes) implements ReadableFile {
        @Override
        public String name() {
            return "file under test";
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void read(long position, ByteBuffer into) throws IOException {
            if (position + into.remaining() > bytes.length) {
                throw new IOException("read beyond the end");
            }
            into.put(bytes, (int) position, into.remaining());
        }

        @Override
        public void close() {}
    }

    /** Writes the golden files anew: for a new version only. */
    static final class Golden {
        private Golden() {}

        public static void main(String[] arguments) throws IOException {
            try (TestRuns runs = new TestRuns()) {
                java.nio.file.Path to = java.nio.file.Path.of(arguments[0]);
                java.nio.file.Files.write(to.resolve("run-2-lz4.drey"), write(runs, Compression.LZ4));
                java.nio.file.Files.write(to.resolve("run-2-zstd.drey"), write(runs, Compression.ZSTD));
                java.nio.file.Files.write(to.resolve("run-2-raw.drey"), write(runs, Compression.NONE));
                java.nio.file.Files.write(to.resolve("run-2-compressed.drey"), writeCompressed(runs));
            }
        }
    }
}
