package io.drey.flink.state.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class SupportedFlinkTest {
    @Test
    void anotherFlinkIsRefusedInOneSentenceThatNamesTheSupportedOne() {
        assertThat(SupportedFlink.refusal("2.2.0"))
                .matches(
                        "Drey .* runs on Flink 2\\.3, found Flink 2\\.2\\.0: take a Drey for this Flink, or Flink 2\\.3\\.");
        assertThat(SupportedFlink.refusal("2.30.0")).isNotNull();
        assertThat(SupportedFlink.refusal("1.20.1")).isNotNull();
    }

    @Test
    void allBuildsOfASupportedOneAreTaken() {
        assertThat(SupportedFlink.refusal("2.3.0")).isNull();
        assertThat(SupportedFlink.refusal("2.3-SNAPSHOT")).isNull();
        assertThat(SupportedFlink.refusal("2.3.1-vendor-7")).isNull();
        assertThat(SupportedFlink.refusal("<unknown>")).isNull();
    }

    @Test
    void theFlinkOfThisBuildIsSupported() {
        assertThatCode(SupportedFlink::check).doesNotThrowAnyException();
    }
}
