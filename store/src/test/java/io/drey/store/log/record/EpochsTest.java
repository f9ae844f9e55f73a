package io.drey.store.log.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The numbers of epochs run out, after as many flushes as a task has in years. */
class EpochsTest {
    @Test
    void afterTwoToThe31FlushesTheTaskIsToldToRestart() {
        Epochs epochs = new Epochs();
        for (int i = 1; i < Integer.MAX_VALUE; i++) {
            epochs.installed(epochs.freeze());
        }
        assertThat(epochs.current()).isEqualTo(Integer.MAX_VALUE);
        assertThat(epochs.isFlushing()).isFalse();
        assertThatThrownBy(epochs::freeze)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("expected fewer than 2^31 flushes, found no epoch left: restart the task");
    }
}
