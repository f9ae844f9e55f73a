package io.drey.cli.compare;

import io.drey.bench.format.Quantity;
import io.drey.bench.plan.PlannedCell;
import io.drey.bench.result.CellResult;
import io.drey.bench.run.RunListener;
import io.drey.cli.terminal.ProgressLine;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Tells on the terminal which cell runs, how far it is, and how long all of it will take. */
public final class CompareProgress implements RunListener {
    private static final double NANOS = 1e9;

    private final ProgressLine line;
    private final LongSupplier nanoClock;
    private volatile String cell = "";

    /** When all cells will be done, before any has started not known. */
    private volatile double endSeconds = Double.NaN;

    public CompareProgress(ProgressLine line, LongSupplier nanoClock) {
        this.line = line;
        this.nanoClock = nanoClock;
    }

    @Override
    public void started(PlannedCell planned, int number, int count, Duration left) {
        cell = String.format(
                Locale.ROOT,
                "[%d/%d] %s on %s, %s",
                number,
                count,
                planned.workload().name(),
                planned.contender().name(),
                planned.fills() ? "filling" : "run " + planned.repetition());
        endSeconds = now() + left.toMillis() / 1e3;
        line.sayBriefly(cell + remaining(0));
    }

    private double now() {
        return nanoClock.getAsLong() / NANOS;
    }

    /** Never less than what the phase needs that runs: a fill takes as long as it takes. */
    private String remaining(double phaseSeconds) {
        double seconds = Math.max(endSeconds - now(), phaseSeconds);
        return Double.isNaN(seconds) ? "" : ", about " + about(Duration.ofMillis((long) (seconds * 1e3))) + " left";
    }

    @Override
    public void progress(String phase, double seconds, double done, double eventsPerSecond) {
        String part = done >= 0 ? String.format(Locale.ROOT, ", %.0f %%", 100 * done) : "";
        String rate = eventsPerSecond > 0 ? ", " + Quantity.shortCount(eventsPerSecond) + "/s" : "";
        String left = remaining(done > 0 ? seconds * (1 - done) / done : 0);
        line.show(String.format(Locale.ROOT, "%s: %s %.0f s%s%s%s", cell, phase, seconds, part, rate, left));
    }

    @Override
    public void finished(CellResult result) {
        if (result.error() != null) {
            line.say(result.spec().id() + " failed: " + result.error());
        }
    }

    @Override
    public void say(String sentence) {
        line.say(sentence);
    }

    /** An estimate has no more than two digits that mean something. */
    static String about(Duration duration) {
        long minutes = duration.toMinutes();
        if (minutes >= 120) {
            return String.format(Locale.ROOT, "%.1f h", minutes / 60.0);
        }
        return minutes >= 2 ? minutes + " min" : Math.max(1, duration.toSeconds()) + " s";
    }
}
