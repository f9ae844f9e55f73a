package io.drey.bench.cell;

import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Prints how far the cell is, in a thread of its own, so that it goes on while Flink starts. The cell writes, the
 * thread reads: one volatile field holds all that is told.
 */
final class CellProgress implements AutoCloseable {
    private static final long INTERVAL_MS = 500;
    private static final double NANOS = 1e9;
    private static final double UNKNOWN = -1;

    private record Moment(CellPhase phase, long phaseNanos, double done, double eventsPerSecond) {}

    private final PrintStream out;
    private final Runnable whenNobodyReads;
    private final ScheduledExecutorService printer;
    private volatile Moment moment = new Moment(CellPhase.START, System.nanoTime(), UNKNOWN, 0);

    /**
     * @param whenNobodyReads the process that started this one is gone
     */
    CellProgress(PrintStream out, Runnable whenNobodyReads) {
        this.out = out;
        this.whenNobodyReads = whenNobodyReads;
        this.printer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "cell-progress");
            thread.setDaemon(true);
            return thread;
        });
        printer.scheduleAtFixedRate(this::print, 0, INTERVAL_MS, TimeUnit.MILLISECONDS);
    }

    private void print() {
        Moment now = moment;
        double seconds = (System.nanoTime() - now.phaseNanos()) / NANOS;
        out.println(new CellMoment(now.phase().text(), seconds, now.done(), now.eventsPerSecond()).text());
        if (out.checkError()) {
            whenNobodyReads.run();
        }
    }

    void phase(CellPhase phase) {
        moment = new Moment(phase, System.nanoTime(), UNKNOWN, moment.eventsPerSecond());
    }

    void eventsPerSecond(double eventsPerSecond) {
        Moment before = moment;
        moment = new Moment(before.phase(), before.phaseNanos(), before.done(), eventsPerSecond);
    }

    /** @param share of this phase, from 0 to 1 */
    void done(double share) {
        Moment before = moment;
        moment = new Moment(before.phase(), before.phaseNanos(), share, before.eventsPerSecond());
    }

    @Override
    public void close() {
        printer.shutdownNow();
    }
}
