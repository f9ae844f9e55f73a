package io.drey.files.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class BounceBuffersTest {
    @Test
    void buffersAreAlignedAndHoldALargeUnalignedRange() {
        BounceBuffers buffers = new BounceBuffers(2);
        ByteBuffer first = buffers.take();
        ByteBuffer second = buffers.take();
        assertThat(second).isNotSameAs(first);
        for (ByteBuffer buffer : List.of(first, second)) {
            assertThat(buffer.alignmentOffset(0, BounceBuffers.ALIGNMENT_MAX)).isZero();
            assertThat(buffer.remaining()).isEqualTo(BounceBuffers.BUFFER_BYTES);
        }
        buffers.give(first.limit(3).position(2));
        assertThat(buffers.take()).isSameAs(first);
        assertThat(first.remaining()).isEqualTo(BounceBuffers.BUFFER_BYTES);
    }

    @Test
    void whoFindsNoneWaitsForOneEvenIfInterrupted() throws InterruptedException {
        BounceBuffers buffers = new BounceBuffers(1);
        ByteBuffer only = buffers.take();
        AtomicBoolean given = new AtomicBoolean();
        AtomicBoolean right = new AtomicBoolean();
        AtomicReference<ByteBuffer> taken = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            Thread.currentThread().interrupt();
            taken.set(buffers.take());
            right.set(given.get() && Thread.currentThread().isInterrupted());
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        given.set(true);
        buffers.give(only);
        waiter.join();
        assertThat(right).isTrue();
        assertThat(taken.get()).isSameAs(only);
    }

    @Test
    void neverMoreThanTheLimitAreOutAndNobodySharesOne() throws InterruptedException {
        BounceBuffers buffers = new BounceBuffers(3);
        AtomicInteger out = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int id = i;
            threads.add(new Thread(() -> {
                for (int round = 0; round < 2000; round++) {
                    ByteBuffer buffer = buffers.take();
                    boolean tooMany = out.incrementAndGet() > 3;
                    buffer.putInt(0, id);
                    Thread.onSpinWait();
                    if (buffer.getInt(0) != id || tooMany) {
                        wrong.incrementAndGet();
                    }
                    out.decrementAndGet();
                    buffers.give(buffer);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).hasValue(0);
    }
}
