package io.drey.cli.shuffle;

import io.drey.shuffle.client.ReadListener;
import io.drey.shuffle.client.ReadStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the bytes of a partition, in one buffer, and gives each credit back at once. */
public final class CountingReader implements ReadListener {
    public static final int CREDIT = 2;

    private final CompletableFuture<Long> bytes = new CompletableFuture<>();
    private final AtomicInteger given = new AtomicInteger();
    private final ByteBuffer buffer;
    private ReadStream stream;
    private long count;

    public CountingReader(int blockBytesMax) {
        buffer = ByteBuffer.allocate(blockBytesMax);
    }

    /** Begins; the result is done when all is read. */
    public CompletableFuture<Long> start(ReadStream of) {
        stream = of;
        stream.start();
        return bytes;
    }

    @Override
    public ByteBuffer blockBegins(int length, int flags) {
        return buffer.clear().limit(length);
    }

    @Override
    public void blockEnds(int subpartition, int length, int flags, int blocksLeft) {
        count += length;
        given.incrementAndGet();
        stream.creditAvailable();
    }

    @Override
    public boolean usesCredit(int flags) {
        return true;
    }

    @Override
    public void backlog(int blocks) {}

    @Override
    public int takeCredit() {
        return given.getAndSet(0);
    }

    @Override
    public void complete(int attributes) {
        bytes.complete(count);
    }

    @Override
    public void lost(String why) {
        bytes.completeExceptionally(new IllegalStateException("lost: " + why));
    }

    @Override
    public void failed(Throwable cause) {
        bytes.completeExceptionally(cause);
    }

    @Override
    public void closed() {
        bytes.cancel(false);
    }
}
