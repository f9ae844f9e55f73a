package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that keeps all blocks, has so many buffers, and gives each back at once. Even flags are data. */
class Gathering implements ReadListener {
    private final List<String> blocks = new ArrayList<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private final CompletableFuture<Integer> complete = new CompletableFuture<>();
    private final int buffers;
    private final AtomicInteger given = new AtomicInteger();
    private byte[] current;
    private ReadStream stream;

    private final boolean givesBack;
    private final Semaphore arrived = new Semaphore(0);

    Gathering(int buffers) {
        this(buffers, true);
    }

    private Gathering(int buffers, boolean givesBack) {
        this.buffers = buffers;
        this.givesBack = givesBack;
    }

    /** One that takes no more than so many blocks. */
    static Gathering stingy(int buffers) {
        return new Gathering(buffers, false);
    }

    void give(int credit) {
        given.addAndGet(credit);
        stream.creditAvailable();
    }

    void awaitBlocks(int count) throws InterruptedException {
        arrived.acquire(count);
    }

    static String text(byte[] payload) {
        return payload.length + ":" + Arrays.hashCode(payload);
    }

    int firstCredit() {
        return buffers;
    }

    void start(ReadStream started) {
        stream = started;
        started.start();
    }

    List<String> await() throws Exception {
        assertThat(end.get()).isEqualTo("complete");
        return blocks;
    }

    String awaitLoss() throws Exception {
        String why = end.get();
        assertThat(why).startsWith("lost: ");
        return why;
    }

    void awaitClose() throws Exception {
        assertThat(end.get()).isEqualTo("closed");
    }

    boolean isOver() {
        return end.isDone();
    }

    int attributes() throws Exception {
        return complete.get();
    }

    @Override
    public ByteBuffer blockBegins(int length, int flags) {
        current = new byte[length];
        return ByteBuffer.wrap(current);
    }

    @Override
    public void blockEnds(int subpartition, int length, int flags, int blocksLeft) {
        blocks.add(text(current));
        arrived.release();
        if (usesCredit(flags) && givesBack) {
            given.incrementAndGet();
            stream.creditAvailable();
        }
    }

    @Override
    public boolean usesCredit(int flags) {
        return flags == 0;
    }

    @Override
    public void backlog(int count) {
        assertThat(count).isPositive();
    }

    @Override
    public int takeCredit() {
        return given.getAndSet(0);
    }

    @Override
    public void complete(int attributes) {
        complete.complete(attributes);
        end.complete("complete");
    }

    @Override
    public void lost(String why) {
        end.complete("lost: " + why);
    }

    @Override
    public void failed(Throwable cause) {
        end.completeExceptionally(cause);
    }

    @Override
    public void closed() {
        end.complete("closed");
    }
}
