package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.runtime.io.network.buffer.BufferPool;
import org.apache.flink.runtime.io.network.buffer.NetworkBufferPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SegmentPoolTest {
    private static final int SEGMENTS = 10;

    /** Its task is being deployed, and a cancellation would not interrupt it. */
    @Test
    @Timeout(60)
    void memoryThatOthersHoldIsNotWaitedForWithoutALimit() throws Exception {
        NetworkBufferPool network = new NetworkBufferPool(SEGMENTS, 1024, Duration.ofMillis(100));
        try {
            BufferPool other = network.createBufferPool(1, SEGMENTS);
            List<MemorySegment> held = new ArrayList<>();
            for (int i = 0; i < SEGMENTS; i++) {
                held.add(other.requestMemorySegmentBlocking());
            }
            BufferPool wanted = network.createBufferPool(8, 8);
            assertThatThrownBy(() -> new SegmentPool(wanted)).isInstanceOf(IOException.class);
            held.forEach(other::recycle);
            SegmentPool pool = new SegmentPool(wanted);
            assertThat(pool.take(8)).hasSize(8);
            wanted.lazyDestroy();
            other.lazyDestroy();
        } finally {
            network.destroyAllBufferPools();
            network.destroy();
        }
    }
}
