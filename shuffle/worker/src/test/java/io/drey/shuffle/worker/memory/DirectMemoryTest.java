package io.drey.shuffle.worker.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {
    private static final long MB = 1 << 20;

    @Test
    void aPoolThatFitsBesideTheBuffersOfConnectionsIsTaken() {
        assertThatCode(() -> DirectMemory.check(704 * MB, 768 * MB)).doesNotThrowAnyException();
    }

    @Test
    void aPoolThatIsLargerThanTheProcessMayHaveIsRefusedWithAdvice() {
        assertThatThrownBy(() -> DirectMemory.check(2048 * MB, 768 * MB))
                .isInstanceOf(DreyException.class)
                .hasMessage("expected the worker's memory to be at most 738197504 bytes, found 2147483648: this process"
                        + " may have 805306368 bytes outside its heap; start it with"
                        + " -XX:MaxDirectMemorySize=2214592512");
    }

    @Test
    void theLimitOfThisProcessIsKnown() {
        assertThatThrownBy(() -> DirectMemory.check(1L << 50)).isInstanceOf(DreyException.class);
    }
}
