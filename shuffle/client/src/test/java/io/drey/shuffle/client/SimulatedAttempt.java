package io.drey.shuffle.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A producer: writes its regions with pauses, at most two under way, and commits. */
final class SimulatedAttempt {
    /** Told once, unless the process is killed. */
    interface Whom {
        void committed(SimulatedAttempt attempt);

        void failed(SimulatedAttempt attempt, String why);
    }

    private static final int UNDER_WAY_MAX = 2;

    private final World world;
    private final SimulatedPartition partition;
    private final List<Candidate> candidates;
    private final SimulatedProcess process;
    private final WriteStream stream;
    private final Whom whom;
    private final long since;
    private final long pauseNanos;
    private int written;
    private int underWay;
    private int done;
    private boolean isCommitting;
    private boolean isCommitted;
    private long committedAt;
    private boolean isOver;

    SimulatedAttempt(
            World world,
            SimulatedPartition partition,
            List<Candidate> candidates,
            SimulatedProcess process,
            ShuffleClient client,
            Whom whom) {
        this.world = world;
        this.partition = partition;
        this.candidates = candidates;
        this.process = process;
        this.whom = whom;
        since = world.now();
        pauseNanos = world.oneIn(2) ? 5 * World.SECOND : 10 * World.MS;
        stream =
                client.write(partition.key(), candidates, partition.subpartitions(), cause -> later(() -> fail(cause)));
        later(this::writeNext);
    }

    private void later(Runnable action) {
        world.after(world.between(1, pauseNanos), () -> {
            if (process.isUp()) {
                action.run();
            }
        });
    }

    private void fail(Throwable cause) {
        if (!isOver) {
            isOver = true;
            stream.close();
            whom.failed(this, cause + (cause.getCause() == null ? "" : ": " + cause.getCause()));
        }
    }

    private void writeNext() {
        if (isOver || isCommitting) {
            return;
        }
        if (written == partition.regions()) {
            isCommitting = true;
            stream.commit(partition.attributes(), partition.bytes()).whenComplete((nothing, cause) -> {
                if (cause == null) {
                    later(this::committed);
                }
            });
        } else if (underWay < UNDER_WAY_MAX) {
            underWay++;
            try {
                stream.write(partition.region(written++, this::regionDone));
                later(this::writeNext);
            } catch (IOException e) {
                fail(e);
            }
        }
    }

    private void regionDone() {
        underWay--;
        if (++done > written) {
            world.fail(new AssertionError("memory of a region given back twice by " + partition.key()));
        }
        later(this::writeNext);
    }

    private void committed() {
        isCommitted = true;
        committedAt = world.now();
        if (!isOver) {
            isOver = true;
            whom.committed(this);
        }
    }

    /** Nobody wants it any more. */
    void cancel() {
        isOver = true;
        if (process.isUp()) {
            stream.close();
        }
    }

    /** Regions whose memory was not given back, of a producer that ended. */
    int regionsHeld() {
        return process.isUp() ? written - done : 0;
    }

    @Override
    public String toString() {
        return partition.key() + " of " + candidates + " with " + written + " of " + partition.regions()
                + " regions written, " + done + " answered"
                + (isCommitted ? ", committed" : isCommitting ? ", committing" : "");
    }

    SimulatedProcess process() {
        return process;
    }

    boolean isCommittedBefore(long time) {
        return isCommitted && committedAt < time;
    }

    SimulatedPartition partition() {
        return partition;
    }

    List<Candidate> candidates() {
        return candidates;
    }

    boolean isCommitted() {
        return isCommitted;
    }

    boolean isCommitting() {
        return isCommitting;
    }

    long since() {
        return since;
    }

    /** Machines whose troubles are its own. */
    List<Integer> machines(SimulatedProcess reader) {
        List<Integer> machines = new ArrayList<>(List.of(process.machine(), reader.machine()));
        for (Candidate each : candidates) {
            machines.add(Integer.parseInt(each.host().substring(each.host().lastIndexOf('.') + 1)));
        }
        return machines;
    }
}
