package io.drey.checkpoint.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.FileVersionException;
import io.drey.testkit.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class ManifestFormatTest {
    private static final UUID ID = new UUID(0x0123456789abcdefL, 0x8899aabbccddeeffL);

    /** The manifest of golden/manifest-2.bin, and of golden/manifest-1.bin if its files are whole. */
    private static Manifest golden(long offset) {
        return new Manifest(
                ID,
                42,
                16,
                31,
                List.of(
                        new ManifestFile("000001.run", ManifestFile.RUN, 123_456_789_012L, 0x1122334455667788L, offset),
                        new ManifestFile("größer.run", ManifestFile.RUN, 0, 0, ManifestFile.WHOLE)),
                new TreeMap<>(Map.of(
                        Manifest.STORE_IMAGE, new byte[] {1, 2, 3}, Manifest.STATE_META, new byte[0], 77, new byte[] {9
                        })));
    }

    private static Manifest golden() {
        return golden(123);
    }

    private static byte[] goldenFile(int version) throws IOException {
        try (InputStream in = ManifestFormatTest.class.getResourceAsStream("/golden/manifest-" + version + ".bin")) {
            return in.readAllBytes();
        }
    }

    private static void assertEqual(Manifest found, Manifest expected) {
        assertThat(found.toString()).isEqualTo(expected.toString());
        assertThat(found.backendId()).isEqualTo(expected.backendId());
        assertThat(found.checkpointId()).isEqualTo(expected.checkpointId());
        assertThat(found.files()).isEqualTo(expected.files());
        assertThat(found.sections()).isEqualTo(expected.sections());
        for (int id : expected.sections()) {
            assertThat(found.section(id)).isEqualTo(expected.section(id));
        }
    }

    @Test
    void readsAndWritesTheGoldenFile() throws IOException {
        byte[] bytes = goldenFile(2);
        assertEqual(ManifestCodec.decode("golden", bytes), golden());
        assertThat(ManifestCodec.encode(golden())).isEqualTo(bytes);
    }

    @Test
    void filesOfTheFirstVersionAreWhole() throws IOException {
        assertEqual(ManifestCodec.decode("golden", goldenFile(1)), golden(ManifestFile.WHOLE));
    }

    @Test
    void readsWhatItWrites() {
        Seeds.cases(500, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            List<ManifestFile> files = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                files.add(new ManifestFile(
                        "f" + i,
                        (byte) random.nextInt(),
                        random.nextLong(Long.MAX_VALUE),
                        random.nextLong(),
                        random.nextInt(3) == 0 ? ManifestFile.WHOLE : random.nextLong(Long.MAX_VALUE)));
            }
            TreeMap<Integer, byte[]> sections = new TreeMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                byte[] section = new byte[random.nextInt(300)];
                random.nextBytes(section);
                sections.put(random.nextInt(), section);
            }
            int from = random.nextInt(100);
            Manifest manifest = new Manifest(
                    new UUID(random.nextLong(), random.nextLong()),
                    random.nextLong(),
                    from,
                    from + random.nextInt(100),
                    files,
                    sections);
            assertEqual(ManifestCodec.decode("test", ManifestCodec.encode(manifest)), manifest);
        });
    }

    @Test
    void everyFlippedBitIsCorruption() {
        byte[] bytes = ManifestCodec.encode(golden());
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit >>> 3] ^= (byte) (1 << (bit & 7));
            assertThatThrownBy(() -> ManifestCodec.decode("here", flipped))
                    .as("bit %d", bit)
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining("file here is damaged at byte ");
        }
    }

    @Test
    void everyOtherLengthIsCorruption() {
        byte[] bytes = ManifestCodec.encode(golden());
        for (int length = 0; length < bytes.length + 20; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            if (length != bytes.length) {
                assertThatThrownBy(() -> ManifestCodec.decode("here", cut))
                        .as("length %d", length)
                        .isInstanceOf(CorruptFileException.class);
            }
        }
    }

    /** Bytes that carry the right checksum and are nonsense all the same: the decoder must not trust them. */
    @Test
    void nonsenseWithARightChecksumIsAnErrorOfOurs() {
        byte[] bytes = ManifestCodec.encode(golden());
        Seeds.cases(5000, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] changed = bytes.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                int at = ManifestLayout.RESERVED_AT + random.nextInt(bytes.length - ManifestLayout.RESERVED_AT);
                changed[at] = (byte) random.nextInt();
            }
            try {
                Manifest manifest = ManifestCodec.decode("here", flushed(changed));
                assertEqual(ManifestCodec.decode("here", ManifestCodec.encode(manifest)), manifest);
            } catch (CorruptFileException e) {
                assertThat(e).hasMessageStartingWith("file here is damaged at byte ");
            }
        });
    }

    private static byte[] flushed(byte[] bytes) {
        int end = bytes.length - ManifestLayout.CHECKSUM_BYTES;
        int checksum = new Checksum().of(bytes, 0, end, bytes[ManifestLayout.KIND_AT]);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(end, checksum);
        return bytes;
    }

    @Test
    void otherKindsAndVersionsAreTold() {
        byte[] old = ManifestCodec.encode(golden());
        old[ManifestLayout.VERSION_AT] = 0;
        assertThatThrownBy(() -> ManifestCodec.decode("here", flushed(old)))
                .isInstanceOf(FileVersionException.class)
                .hasMessageContaining("expected version 1..2 of a manifest, found version 0, which is too old");
        byte[] young = ManifestCodec.encode(golden());
        young[ManifestLayout.VERSION_AT] = 3;
        assertThatThrownBy(() -> ManifestCodec.decode("here", flushed(young)))
                .isInstanceOf(FileVersionException.class)
                .hasMessageContaining("found version 3, which is too new");
        byte[] other = ManifestCodec.encode(golden());
        other[ManifestLayout.KIND_AT] = 'R';
        assertThatThrownBy(() -> ManifestCodec.decode("here", flushed(other)))
                .isInstanceOf(FileVersionException.class)
                .hasMessageContaining("expected a manifest (kind M), found kind R");
        byte[] foreign = ManifestCodec.encode(golden());
        foreign[0] = 'X';
        assertThatThrownBy(() -> ManifestCodec.decode("here", flushed(foreign)))
                .isInstanceOf(CorruptFileException.class)
                .hasMessageContaining("expected the magic DREY");
    }

    @Test
    void refusesManifestsThatMakeNoSense() {
        ManifestFile file = new ManifestFile("a", ManifestFile.RUN, 1, 0, 0);
        assertThatThrownBy(() -> new Manifest(ID, 1, 0, 1, List.of(file, file), new TreeMap<>()))
                .hasMessageContaining("found a twice");
        assertThatThrownBy(() -> new Manifest(ID, 1, 2, 1, List.of(), new TreeMap<>()))
                .hasMessageContaining("expected a range of key groups, found 2..1");
        assertThatThrownBy(() -> new ManifestFile("", ManifestFile.RUN, 1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ManifestFile("a", ManifestFile.RUN, -1, 0, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ManifestFile("a", ManifestFile.RUN, 1, 0, -2))
                .isInstanceOf(IllegalArgumentException.class);
        String longName = "x".repeat(ManifestLayout.NAME_BYTES_MAX + 1);
        Manifest manifest = new Manifest(
                ID, 1, 0, 1, List.of(new ManifestFile(longName, ManifestFile.RUN, 1, 0, 0)), new TreeMap<>());
        assertThatThrownBy(() -> ManifestCodec.encode(manifest))
                .hasMessageContaining("expected a file name of at most");
        assertThatThrownBy(() -> golden().section(5))
                .hasMessage("expected section 5 in the manifest of checkpoint 42, found only [1, 2, 77]");
    }

    @Test
    void sharesNoArrayWithItsUsers() {
        byte[] section = {1};
        Manifest manifest = new Manifest(ID, 1, 0, 1, List.of(), new TreeMap<>(Map.of(1, section)));
        section[0] = 2;
        manifest.section(1)[0] = 3;
        assertThat(manifest.section(1)).containsExactly(1);
    }
}
