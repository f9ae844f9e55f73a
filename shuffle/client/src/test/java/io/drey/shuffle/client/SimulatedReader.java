package io.drey.shuffle.client;

import io.drey.shuffle.client.SimulatedPartition.Block;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A consumer with a few buffers: compares every block with what was written, and takes its time. */
final class SimulatedReader implements ReadListener {
    /** How a reader ends: once, and in one of these ways. */
    enum End {
        COMPLETE,
        LOST,
        FAILED,
        CLOSED
    }

    /** Told once. */
    interface Whom {
        void ended(End end, String why);
    }

    private final World world;
    private final SimulatedProcess process;
    private final SimulatedPartition partition;
    private final List<Block> expected;
    private final Whom whom;
    private final int buffers;
    private final long slowNanos;
    private int next;

    /** Buffers that wait for a block: their credit is given. */
    private int free;

    /** Buffers whose credit is to be given. */
    private int given;

    private ByteBuffer current;
    private boolean holdsBuffer;
    private ReadStream stream;
    private End end;

    SimulatedReader(World world, SimulatedProcess process, SimulatedPartition partition, int from, int to, Whom whom) {
        this.world = world;
        this.process = process;
        this.partition = partition;
        this.expected = partition.blocks(from, to);
        this.whom = whom;
        buffers = 1 + world.random().nextInt(4);
        slowNanos = world.oneIn(4) ? World.SECOND : 10 * World.MS;
    }

    int firstCredit() {
        free = buffers;
        return buffers;
    }

    void start(ReadStream started) {
        stream = started;
        stream.start();
    }

    void close() {
        stream.close();
    }

    SimulatedProcess process() {
        return process;
    }

    /** How it ended; null while it goes on. */
    End end() {
        return end;
    }

    /** Blocks so far. */
    int received() {
        return next;
    }

    private void check(boolean isRight, String what) {
        if (!isRight) {
            world.fail(new AssertionError(what + " of " + partition.key()));
        }
    }

    @Override
    public ByteBuffer blockBegins(int length, int flags) {
        if (holdsBuffer) {
            // After a cut: its block begins again.
            free++;
            holdsBuffer = false;
        }
        if (usesCredit(flags)) {
            check(free > 0, "a block without a buffer");
            free--;
            holdsBuffer = true;
        }
        current = ByteBuffer.allocate(length);
        return current;
    }

    @Override
    public void blockEnds(int subpartition, int length, int flags, int blocksLeft) {
        check(end == null, "a block after the end");
        check(next < expected.size(), "a block too many");
        if (next < expected.size()) {
            Block block = expected.get(next++);
            current.position(0).limit(length);
            check(
                    block.subpartition() == subpartition
                            && block.flags() == flags
                            && block.length() == length
                            && block.isPayload(current),
                    "another block than " + block);
        }
        if (holdsBuffer) {
            holdsBuffer = false;
            world.after(world.between(1, slowNanos), () -> {
                given++;
                if (end == null && process.isUp()) {
                    stream.creditAvailable();
                }
            });
        }
    }

    @Override
    public boolean usesCredit(int flags) {
        return SimulatedPartition.usesCredit(flags);
    }

    @Override
    public void backlog(int blocks) {
        check(
                blocks <= expected.size() - next,
                "a backlog of " + blocks + " blocks, with " + (expected.size() - next) + " left,");
    }

    @Override
    public int takeCredit() {
        int taken = given;
        given = 0;
        free += taken;
        return taken;
    }

    @Override
    public void complete(int attributes) throws IOException {
        check(next == expected.size(), "an end before block " + next + " of " + expected.size());
        check(attributes == partition.attributes(), "other attributes");
        end(End.COMPLETE, "");
    }

    @Override
    public void lost(String why) {
        end(End.LOST, why);
    }

    @Override
    public void failed(Throwable cause) {
        end(End.FAILED, cause.toString());
    }

    @Override
    public void closed() {
        end(End.CLOSED, "");
    }

    private void end(End how, String why) {
        check(end == null, "a second end");
        end = how;
        world.after(world.jitter(), () -> whom.ended(how, why));
    }
}
