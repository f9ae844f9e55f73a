package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.FileVersionException;
import io.drey.store.entry.TableInfo;
import io.drey.store.entry.TableKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of a store image: they never change, and damage shows. */
final class StoreImageFormatTest {
    private static final StoreImage IMAGE = new StoreImage(
            3,
            17,
            List.of(new TableInfo(0, "kv:clicks", TableKind.VALUE), new TableInfo(2, "pq:timers", TableKind.MAP)),
            List.of(part("b-2.run", 900, 0, 65535, 0, 0), part("a-1.run", 1200, 3, 9, 77, 0)),
            List.of(List.of(part("a-0.run", 1L << 33, 3, 17, 0, -5)), List.of(part("a-3.run", 5, 4, 4, -5, 0))),
            List.of(new StoreImage.FileInfo("0123.values", 1L << 34)));

    private static StoreImage.Part part(String name, long bytes, int from, int to, long prefixFrom, long prefixTo) {
        return new StoreImage.Part(new StoreImage.FileInfo(name, bytes), from, to, prefixFrom, prefixTo);
    }

    @Test
    void anImageIsReadAsItWasWritten() {
        assertThat(StoreImage.decode(IMAGE.encode())).isEqualTo(IMAGE);
        assertThat(IMAGE.files())
                .extracting(StoreImage.FileInfo::name)
                .containsExactly("b-2.run", "a-1.run", "a-0.run", "a-3.run", "0123.values");
    }

    @Test
    void theFirstVersionStaysReadable() throws IOException {
        try (InputStream golden = getClass().getResourceAsStream("/golden/store-image-1.hex")) {
            String hex =
                    new String(golden.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII).replaceAll("\\s", "");
            assertThat(StoreImage.decode(HexFormat.of().parseHex(hex))).isEqualTo(IMAGE);
            assertThat(HexFormat.of().formatHex(IMAGE.encode())).isEqualTo(hex);
        }
    }

    @Test
    void aFlippedBitAnywhereIsAnError() {
        byte[] bytes = IMAGE.encode();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> StoreImage.decode(damaged))
                    .as("bit " + bit)
                    .isInstanceOfAny(CorruptFileException.class, FileVersionException.class);
        }
    }

    @Test
    void anImageThatEndsEarlyIsAnError() {
        byte[] bytes = IMAGE.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] torn = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> StoreImage.decode(torn)).isInstanceOf(CorruptFileException.class);
        }
    }

    @Test
    void aNewerVersionIsToldFromDamage() {
        byte[] bytes = IMAGE.encode();
        bytes[11] = 2;
        assertThatThrownBy(() -> StoreImage.decode(bytes))
                .isInstanceOf(FileVersionException.class)
                .hasMessageContaining("version 2");
    }

    @Test
    void twoFilesOfOneNameAreAnError() {
        StoreImage image = new StoreImage(
                0,
                1,
                List.of(),
                List.of(part("a.run", 1, 0, 1, 0, 0), part("a.run", 2, 0, 1, 0, 0)),
                List.of(),
                List.of());
        assertThatThrownBy(image::files).isInstanceOf(DreyException.class).hasMessageContaining("a.run");
    }
}
