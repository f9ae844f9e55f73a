package io.drey.files.local;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/**
 * A file channel that outlives interrupts. The JDK closes a channel when a thread that uses it is interrupted, for
 * every other thread too; Flink interrupts tasks when it cancels them. Here an action runs with the thread's interrupt
 * flag taken down, runs again on a new channel if an interrupt closed the old one, and the flag is up again afterwards.
 *
 * <p>Actions must be repeatable: they read or write at positions. Thread safe.
 */
final class SteadyChannel implements Closeable {
    /** Interrupts that one action survives; more than a cancelled task ever sees. */
    static final int REOPENS_MAX = 64;

    private final String description;
    private final ChannelSource source;
    private volatile FileChannel channel;
    private volatile boolean closed;

    SteadyChannel(String description, ChannelSource source) throws IOException {
        this.description = description;
        this.source = source;
        this.channel = source.open();
    }

    /** An operation on the channel; may run more than once. */
    @FunctionalInterface
    interface Action {
        void run(FileChannel channel) throws IOException;
    }

    /** Moves bytes between the buffer, from its position on, and a place of the channel; may run more than once. */
    @FunctionalInterface
    interface Transfer {
        void run(FileChannel channel, ByteBuffer buffer, long place) throws IOException;
    }

    void run(Action action) throws IOException {
        run((current, none, zero) -> action.run(current), null, 0);
    }

    /** The same without an object for each run: what the action needs is passed on. */
    void run(Transfer transfer, ByteBuffer buffer, long place) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            int reopens = 0;
            while (true) {
                FileChannel current = channel;
                try {
                    transfer.run(current, buffer, place);
                    return;
                } catch (ClosedChannelException e) {
                    // A thread that was interrupted closed the channel, this one or another, or the owner did.
                    interrupted |= e instanceof ClosedByInterruptException;
                    interrupted |= Thread.interrupted();
                    if (closed) {
                        throw new IOException("expected " + description + " to be open, found it closed", e);
                    }
                    if (++reopens > REOPENS_MAX) {
                        throw new IOException(
                                "gave up on " + description + " after " + REOPENS_MAX + " interrupts of its users", e);
                    }
                    reopen(current);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized void reopen(FileChannel broken) throws IOException {
        if (closed) {
            throw new IOException("expected " + description + " to be open, found it closed");
        }
        if (channel == broken) {
            broken.close();
            channel = source.open();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        channel.close();
    }
}
