package io.drey.jobs.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Settings, and that a checkpoint of others is noticed. */
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
    void everySettingTellsTheRunFromOthers() {
        List<String> runs = Stream.of(
                        settings,
                        new LoadSettings(2, 1_000, KeySkew.ZIPF, 100, 200, false),
                        new LoadSettings(1, 1_001, KeySkew.ZIPF, 100, 200, false),
                        new LoadSettings(1, 1_000, KeySkew.UNIFORM, 100, 200, false),
                        new LoadSettings(1, 1_000, KeySkew.ZIPF, 101, 200, false),
                        new LoadSettings(1, 1_000, KeySkew.ZIPF, 100, 201, false),
                        new LoadSettings(1, 1_000, KeySkew.ZIPF, 100, 200, true))
                .map(LoadSettings::toString)
                .distinct()
                .toList();
        assertThat(runs).hasSize(7);
    }
}
