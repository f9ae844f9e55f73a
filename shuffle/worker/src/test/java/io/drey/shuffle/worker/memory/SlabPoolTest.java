package io.drey.shuffle.worker.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class SlabPoolTest {
    @Test
    void slabsThatCannotBeMadeCostNothing() {
        AtomicInteger asked = new AtomicInteger();
        SlabPool pool = new SlabPool(4L * Slab.BYTES, () -> {
            if (asked.incrementAndGet() == 2) {
                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
            }
            return new Slab();
        });
        Slab[] slabs = new Slab[3];
        assertThatThrownBy(() -> pool.takeToRead(slabs, 3)).isInstanceOf(OutOfMemoryError.class);
        assertThat(pool.usedBytes()).isZero();
        assertThat(pool.takeToRead(slabs, 3)).isTrue();
        // The one that was made before the failure is used again.
        assertThat(asked).hasValue(4);
    }
}
