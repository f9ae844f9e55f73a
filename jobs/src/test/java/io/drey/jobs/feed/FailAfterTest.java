package io.drey.jobs.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The failure on purpose happens once per run. */
class FailAfterTest {
    @Test
    void throwsAtTheEventAndNeverAgain() {
        FailAfter failAfter = new FailAfter("FailAfterTest", 3);
        FailAfter restarted = new FailAfter("FailAfterTest", 3);
        failAfter.count(failAfter.counter());
        failAfter.count(failAfter.counter());
        assertThat(failAfter.fired()).isFalse();

        assertThatThrownBy(() -> failAfter.count(failAfter.counter()))
                .isInstanceOf(FailAfter.InjectedFailureException.class)
                .hasMessageContaining("after 3 events");

        assertThat(restarted.fired()).isTrue();
        restarted.count(restarted.counter());
        assertThat(new FailAfter("another run", 3).fired()).isFalse();
    }
}
