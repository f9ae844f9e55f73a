package io.drey.shuffle.client;

import io.drey.shuffle.worker.memory.SlabShelf;
import io.drey.testkit.Effort;
import io.drey.testkit.TestSummary;

/** Half of the histories: two processes have one each. */
final class ShuffleHistories {
    /** Cases of a half: of as many as {@code drey.shuffle.seeds} says, or by the effort. */
    static final int COUNT = Integer.getInteger("drey.shuffle.seeds", (int) Effort.of(10_000, 10_000, 25_000)) / 2;

    /** Of so many histories, each event is in one. */
    private static final int RARE = 1_000;

    private final SlabShelf slabs = new SlabShelf();
    private final Tally tally = new Tally();
    private final TestSummary summary;

    ShuffleHistories(Class<?> test) {
        this.summary = new TestSummary(test);
    }

    /** Runs one; returns what it was. */
    long run(long seed) {
        try {
            ShuffleHistory history = new ShuffleHistory(seed, slabs, tally);
            history.run();
            summary.add("histories", 1);
            return history.digest();
        } finally {
            slabs.reclaim();
        }
    }

    /** Prints what happened, and fails unless everything did that may. */
    void end() {
        tally.addTo(summary);
        summary.print();
        tally.covers(summary.of("histories") / RARE);
    }
}
