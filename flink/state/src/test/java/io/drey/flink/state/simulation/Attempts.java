package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The threads of a process that write into the storage. Most attempts are over at once; there is no thread for some; and
 * some are for the test to go on with, which may let them hang for as long as it likes.
 */
final class Attempts implements Executor {
    private final SplittableRandom random;
    private final Tally tally;

    /** Of a hundred attempts, those that are the test's. */
    private final int heldPercent;

    private final List<Errand> held = new ArrayList<>();
    private final SimulatedStorage storage;

    Attempts(SplittableRandom random, World world) {
        this.random = random;
        this.tally = world.tally;
        this.storage = world.storage;
        this.heldPercent = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0;
    }

    @Override
    public void execute(Runnable attempt) {
        int choice = heldPercent == 0 ? 100 : random.nextInt(100);
        if (choice < heldPercent) {
            SimulatedStorage.Role role = storage.enter(SimulatedStorage.Role.CHECKPOINT);
            storage.enter(role);
            held.add(new Errand(Errand.Kind.ATTEMPT, role, attempt));
            tally.count(Event.ATTEMPT_HELD);
        } else if (choice == heldPercent) {
            throw new RejectedExecutionException("no thread");
        } else {
            attempt.run();
        }
    }

    /** Those that have come to the test since the last call. */
    List<Errand> take() {
        List<Errand> taken = List.copyOf(held);
        held.clear();
        return taken;
    }
}
