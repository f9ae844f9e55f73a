package io.drey.cli.demo;

import io.drey.bench.format.Quantity;

/** How a demo goes on, in one line. */
final class ProgressText {
    private ProgressText() {}

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
