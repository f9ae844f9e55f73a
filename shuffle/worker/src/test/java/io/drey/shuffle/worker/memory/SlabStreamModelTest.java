package io.drey.shuffle.worker.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Seeds;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A stream gives back what was appended, in order, within its slabs, whatever the order of appends and writes. */
final class SlabStreamModelTest {
    private static final int BYTES = 24 << 20;

    private static byte at(long offset) {
        return (byte) ((offset * 0x9e3779b97f4a7c15L) >>> 56);
    }

    private static ByteBuf bytes(long from, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(from + i);
        }
        return Unpooled.wrappedBuffer(bytes);
    }

    @Test
    void whatIsAppendedIsWrittenInOrderWithinTheSlabs() {
        Seeds.cases(4, seed -> run(new SplittableRandom(seed)));
    }

    private static void run(SplittableRandom random) {
        SlabPool pool = new SlabPool(32L * Slab.BYTES);
        int reserved = 1 + random.nextInt(4);
        assertThat(pool.reserveToWrite(reserved)).isTrue();
        SlabStream stream = new SlabStream(pool, reserved);
        ByteBuffer[] views = new ByteBuffer[SlabStream.SLABS_MAX + 1];
        long limit = 0;
        while (stream.flushed() < BYTES) {
            long now = stream.limit();
            assertThat(now).isGreaterThanOrEqualTo(limit);
            assertThat(now - stream.flushed()).isLessThanOrEqualTo((long) stream.reserved() * Slab.BYTES);
            limit = now;
            int room = (int) (limit - stream.appended());
            if (room > 0 && random.nextInt(3) > 0) {
                int length = random.nextInt(4) == 0 ? room : 1 + random.nextInt(Math.min(room, 100_000));
                stream.append(bytes(stream.appended(), length), length);
            }
            if (random.nextInt(3) == 0) {
                write(stream, views, 1 + random.nextInt(1 << 20));
            }
            if (random.nextInt(20) == 0 && stream.reserved() < SlabStream.SLABS_MAX && pool.reserveToWrite(1)) {
                stream.resize(stream.reserved() + 1);
            }
            if (random.nextInt(20) == 0 && stream.isEmpty() && stream.reserved() > 1) {
                pool.unreserveToWrite(stream.reserved() - 1);
                stream.resize(1);
                limit = 0;
            }
        }
        stream.close();
        assertThat(pool.usedBytes()).isZero();
    }

    private static void write(SlabStream stream, ByteBuffer[] views, int most) {
        int count = stream.gather(views, most);
        long at = stream.flushed();
        for (int i = 0; i < count; i++) {
            while (views[i].hasRemaining()) {
                if (views[i].get() != at(at)) {
                    throw new AssertionError("byte " + at + " is wrong");
                }
                at++;
            }
        }
        assertThat(at - stream.flushed()).isEqualTo(Math.min(most, stream.appended() - stream.flushed()));
        stream.written(at - stream.flushed());
    }
}
