package io.drey.shuffle.worker.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.protocol.block.BlockFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SlabPoolTest {
    @ParameterizedTest
    @ValueSource(ints = {16, 17, 18, 20, 24, 31, 32, 256})
    void theLargestBlockIsReadWhateverWritersHoldAndWhateverIsReadAhead(int megabytes) {
        Slab shared = new Slab();
        SlabPool pool = new SlabPool((long) megabytes << 20, () -> shared);
        while (pool.reserveToWrite(1)) {}
        while (pool.keepAhead(1)) {
            assertThat(pool.takeToRead(new Slab[1], 1)).isTrue();
        }
        int bytes = BlockFormat.HEADER_BYTES + BlockFormat.PAYLOAD_BYTES_MAX;
        int slabs = (bytes + Slab.BYTES - 1) / Slab.BYTES;
        assertThat(pool.takeToRead(new Slab[slabs], slabs)).isTrue();
    }

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
