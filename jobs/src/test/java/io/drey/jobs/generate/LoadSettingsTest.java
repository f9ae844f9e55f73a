package io.drey.jobs.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Settings, and what of them is in a checkpoint. */
class LoadSettingsTest {
    private final LoadSettings settings = new LoadSettings(1, 1_000, KeySkew.ZIPF, 100, 200, false);

    @Test
    void whatIsOutOfRangeIsTold() {
        assertThatThrownBy(() -> new LoadSettings(1, 99, KeySkew.ZIPF, 100, 200, false))
                .hasMessage("alive must be from 100 to 2147483647, is 99");
        assertThatThrownBy(() -> new LoadSettings(1, 1_000, KeySkew.ZIPF, 200, 100, false))
                .hasMessageContaining("rowBytesMax must be from 200");
        assertThatThrownBy(() -> KeySkew.named("zip")).hasMessageContaining("there are uniform and zipf");
        assertThat(KeySkew.named("zipf")).isEqualTo(KeySkew.ZIPF);
        assertThat(KeySkew.named("uniform")).isEqualTo(KeySkew.UNIFORM);
    }

    @Test
    void everySettingIsInTheFingerprint() {
        List<Long> fingerprints = Stream.of(
                        settings,
                        new LoadSettings(2, 1_000, KeySkew.ZIPF, 100, 200, false),
                        new LoadSettings(1, 1_001, KeySkew.ZIPF, 100, 200, false),
                        new LoadSettings(1, 1_000, KeySkew.UNIFORM, 100, 200, false),
                        new LoadSettings(1, 1_000, KeySkew.ZIPF, 101, 200, false),
                        new LoadSettings(1, 1_000, KeySkew.ZIPF, 100, 201, false),
                        new LoadSettings(1, 1_000, KeySkew.ZIPF, 100, 200, true))
                .map(LoadSettings::fingerprint)
                .distinct()
                .toList();
        assertThat(fingerprints).hasSize(7);
    }

    @Test
    void aSplitComesBackFromACheckpoint() throws IOException {
        LoadSplitCodec codec = new LoadSplitCodec();
        LoadSplit split = new LoadSplit(settings.fingerprint(), 123_456_789_012L);
        byte[] bytes = codec.serialize(split);

        assertThat(codec.deserialize(codec.getVersion(), bytes)).isEqualTo(split);
        assertThatThrownBy(() -> codec.deserialize(codec.getVersion() + 1, bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> codec.deserialize(codec.getVersion(), new byte[3]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("3 bytes");
    }

    @Test
    void whatIsNotAssignedComesBackFromACheckpoint() throws IOException {
        PendingSplit.Codec codec = new PendingSplit.Codec();
        for (LoadSplit split : new LoadSplit[] {null, new LoadSplit(4, 5)}) {
            byte[] bytes = codec.serialize(new PendingSplit(split));
            assertThat(codec.deserialize(codec.getVersion(), bytes).split()).isEqualTo(split);
        }
    }
}
