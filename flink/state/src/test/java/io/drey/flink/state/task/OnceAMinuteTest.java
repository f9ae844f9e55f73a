package io.drey.flink.state.task;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OnceAMinuteTest {
    /** Sixty operators whose storage refused writes wrote megabytes of the same stack into the log. */
    @Test
    void whatManyTasksFindIsNewToTheFirstOfThemOnly() {
        assertThat(OnceAMinute.isNew("the storage refuses writes")).isTrue();
        for (int task = 0; task < 60; task++) {
            assertThat(OnceAMinute.isNew("the storage refuses writes")).isFalse();
        }
        assertThat(OnceAMinute.isNew("something else")).isTrue();
    }
}
