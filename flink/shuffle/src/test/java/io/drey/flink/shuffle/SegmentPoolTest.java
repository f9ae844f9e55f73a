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
    private static final Duration WAIT = Duration.ofMillis(100);

    /** Its task is being deployed, and a cancellation would not interrupt it. */
    @Test
    @Timeout(60)
    void memoryThatOthersHoldIsNotWaitedForWithoutALimit() throws Exception {
        NetworkBufferPool network = new NetworkBufferPool(SEGMENTS, 1024, WAIT);
        try {
            BufferPool other = network.createBufferPool(1, SEGMENTS);
            List<MemorySegment> held = new ArrayList<>();
            for (int i = 0; i < SEGMENTS; i++) {
                held.add(other.requestMemorySegmentBlocking());
            }
            BufferPool wanted = network.createBufferPool(8, 8);
            assertThatThrownBy(() -> new SegmentPool(wanted, WAIT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected 8 network buffers")
                    .hasMessageContaining("found 0");
            held.forEach(other::recycle);
            SegmentPool pool = new SegmentPool(wanted, WAIT);
            assertThat(pool.take(8)).hasSize(8);
            wanted.lazyDestroy();
            other.lazyDestroy();
        } finally {
            network.destroyAllBufferPools();
            network.destroy();
        }
    }

    /** Two writers have the memory of two: the last one of a full task manager would wait for a segment for ever. */
    @Test
    void aWriterTakesAsManyBuffersAsItAnnounces() throws Exception {
        NetworkBufferPool network = new NetworkBufferPool(SEGMENTS, 1024, WAIT);
        try {
            BufferPool one = network.createBufferPool(5, 5);
            assertThat(new SegmentPool(one, WAIT).take(5)).hasSize(5);
            assertThat(network.getNumberOfAvailableMemorySegments()).isEqualTo(5);
            BufferPool two = network.createBufferPool(5, 5);
            assertThat(new SegmentPool(two, WAIT).take(5)).hasSize(5);
            one.lazyDestroy();
            two.lazyDestroy();
        } finally {
            network.destroyAllBufferPools();
            network.destroy();
        }
    }
}
