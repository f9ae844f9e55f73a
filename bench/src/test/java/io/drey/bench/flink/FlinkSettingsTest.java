package io.drey.bench.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FlinkSettingsTest {
    @Test
    void aCheckpointInSlowStorageIsRestoredFromThere() {
        assertThat(FlinkSettings.uri("slow:/checkpoints/chk-7")).isEqualTo("slow:/checkpoints/chk-7");
        assertThat(FlinkSettings.uri("/checkpoints/chk-7")).isEqualTo("file:///checkpoints/chk-7");
    }

    @Test
    void aPathMayHaveCharactersThatAnAddressEscapes() {
        String odd = "/check points/100% #1";
        assertThat(new org.apache.flink.core.fs.Path(FlinkSettings.uri(odd)).getPath())
                .isEqualTo(odd);
    }
}
