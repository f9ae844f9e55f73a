package io.drey.cli.demo;

import io.drey.cli.format.Quantity;
import java.io.PrintWriter;

/**
 * Shows progress: on a terminal one line that is written over every second, elsewhere a line every few seconds. Used by
 * one thread.
 */
public final class ProgressPrinter {
    private static final int SECONDS_BETWEEN_LINES = 5;
    private static final String ERASE_LINE = "\r\u001B[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final int columns;
    private long moments;
    private boolean open;

    /**
     * @param terminal whether the line can be written over
     * @param columns width of the terminal
     */
    public ProgressPrinter(PrintWriter out, boolean terminal, int columns) {
        this.out = out;
        this.terminal = terminal;
        this.columns = columns;
    }

    void show(Progress progress, long total) {
        String line = line(progress, total);
        if (terminal) {
            out.print(ERASE_LINE + (line.length() < columns ? line : line.substring(0, columns - 1)));
            out.flush();
            open = true;
        } else if (moments % SECONDS_BETWEEN_LINES == 0) {
            out.println(line);
            out.flush();
        }
        moments++;
    }

    /** A message that stays. */
    void say(String message) {
        if (open) {
            out.print(ERASE_LINE);
            open = false;
        }
        out.println(message);
        out.flush();
    }

    /** A message that the next one replaces, on a terminal. */
    void sayBriefly(String message) {
        if (terminal) {
            out.print(ERASE_LINE + message);
            out.flush();
            open = true;
        } else {
            out.println(message);
            out.flush();
        }
    }

    /** Leaves a clean line. */
    void end() {
        if (open) {
            out.print(ERASE_LINE);
            out.flush();
            open = false;
        }
    }

    static String line(Progress progress, long total) {
        StringBuilder line = new StringBuilder();
        line.append(String.format("%3d%%  ", total == 0 ? 100 : progress.events() * 100 / total));
        line.append(Quantity.shortCount(progress.events())).append(" of ").append(Quantity.shortCount(total));
        line.append(" events  ").append(rate(progress));
        if (progress.diskBytes().isPresent()) {
            line.append("  disk ").append(Quantity.bytes(progress.diskBytes().getAsLong()));
        }
        if (progress.memoryBytes().isPresent()) {
            line.append("  ")
                    .append(progress.memoryName())
                    .append(' ')
                    .append(Quantity.bytes(progress.memoryBytes().getAsLong()));
        }
        return line.append("  ")
                .append(checkpoint(progress.checkpoints().last()))
                .toString();
    }

    private static String rate(Progress progress) {
        if (progress.eventsPerSecond().isPresent()) {
            return Quantity.shortCount(progress.eventsPerSecond().getAsLong()) + "/s";
        }
        return progress.events() == 0 ? "starting" : "-/s";
    }

    private static String checkpoint(CheckpointSummary.Completed last) {
        return last == null
                ? "no checkpoint yet"
                : "checkpoint " + last.id() + ": " + Quantity.duration(last.duration()) + ", "
                        + Quantity.bytes(last.fullBytes());
    }
}
