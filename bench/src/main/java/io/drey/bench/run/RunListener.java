package io.drey.bench.run;

import io.drey.bench.plan.PlannedCell;
import io.drey.bench.result.CellResult;
import java.time.Duration;

/** Hears how a comparison goes on. Called by the thread that runs it and by the one that reads a cell's output. */
public interface RunListener {
    /**
     * A cell starts.
     *
     * @param number from 1
     * @param count of all cells
     * @param remaining estimate for this and all later cells
     */
    void started(PlannedCell cell, int number, int count, Duration remaining);

    /**
     * A cell goes on.
     *
     * @param phase what it is doing: {@code preparing} what all cells share, {@code start}, {@code fill}, {@code
     *     restore}, {@code warm-up}, {@code measure}, {@code stop}
     * @param seconds since the phase began
     * @param done share of the phase, from 0 to 1; -1 if nobody knows
     * @param eventsPerSecond lately
     */
    void progress(String phase, double seconds, double done, double eventsPerSecond);

    /** A cell has ended; its result may hold an error. */
    void finished(CellResult result);

    /** Something the user should know. */
    void say(String sentence);
}
