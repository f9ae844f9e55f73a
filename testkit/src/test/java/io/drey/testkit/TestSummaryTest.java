package io.drey.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TestSummaryTest {
    @Test
    void saysWhatWasDoneInOneLine() {
        TestSummary summary = new TestSummary("TestSummaryTest");
        summary.add("operations", 12_000);
        summary.add("crashes", 1);
        summary.add("crashes", 2);
        assertThat(summary.of("crashes")).isEqualTo(3);
        assertThat(summary.of("faults")).isZero();
        assertThat(summary).asString().endsWith(" TestSummaryTest: 3 crashes, 12,000 operations");
    }
}
