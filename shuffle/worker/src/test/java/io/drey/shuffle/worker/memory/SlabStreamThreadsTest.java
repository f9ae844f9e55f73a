package io.drey.shuffle.worker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A stream that one thread fills while another one empties it. */
final class SlabStreamThreadsTest {
    private static final int RESERVED = 3;
    private static final long BYTES = 512L << 20;

    /** Odd, so that slabs end amid appends, at ever other places. */
    private static final int APPEND = Slab.BYTES / 3 + 1;

    @Test
    void aStreamEmptiedWhileItsLimitIsAskedTakesNoMoreSlabsThanItReserved() {
        AtomicInteger made = new AtomicInteger();
        SlabPool pool = new SlabPool(64L * Slab.BYTES, () -> {
            made.incrementAndGet();
            return new Slab();
        });
        assertThat(pool.reserveToWrite(RESERVED)).isTrue();
        SlabStream stream = new SlabStream(pool, RESERVED);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> writeAll(stream));
        ByteBuf bytes = Unpooled.buffer(APPEND).writerIndex(APPEND);
        while (stream.appended() < BYTES && !writer.isDone()) {
            int length = (int) Math.min(APPEND, stream.limit() - stream.appended());
            if (length > 0) {
                stream.append(bytes.readerIndex(0), length);
            }
        }
        writer.join();
        assertThat(made).hasValueLessThanOrEqualTo(RESERVED);
        stream.close();
        assertThat(pool.usedBytes()).isZero();
    }

    private static void writeAll(SlabStream stream) {
        ByteBuffer[] views = new ByteBuffer[SlabStream.SLABS_MAX + 1];
        while (stream.flushed() < BYTES) {
            int count = stream.gather(views, Integer.MAX_VALUE);
            long bytes = 0;
            for (int i = 0; i < count; i++) {
                bytes += views[i].remaining();
            }
            if (bytes > 0) {
                stream.written(bytes);
            }
        }
    }
}
