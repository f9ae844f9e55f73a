package io.drey.flink.state.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class SupportedFlinkTest {
    @Test
    void anotherFlinkIsRefusedInOneSentenceThatNamesTheSupportedOnes() {
        assertThat(SupportedFlink.refusal("2.0.1"))
                .matches(
                        "Drey .* runs on Flink 2\\.1, 2\\.2, 2\\.3, found Flink 2\\.0\\.1: take a Drey for this Flink, or one of these\\.");
        assertThat(SupportedFlink.refusal("2.30.0")).isNotNull();
        assertThat(SupportedFlink.refusal("1.20.1")).isNotNull();
    }

    @Test
    void allBuildsOfASupportedOneAreTaken() {
        assertThat(SupportedFlink.refusal("2.3.0")).isNull();
        assertThat(SupportedFlink.refusal("2.2.1")).isNull();
        assertThat(SupportedFlink.refusal("2.1.0")).isNull();
        assertThat(SupportedFlink.refusal("2.3-SNAPSHOT")).isNull();
        assertThat(SupportedFlink.refusal("2.3.1-vendor-7")).isNull();
        assertThat(SupportedFlink.refusal("<unknown>")).isNull();
    }

    @Test
    void theFlinkOfThisBuildIsSupported() {
        assertThatCode(SupportedFlink::check).doesNotThrowAnyException();
    }
}
