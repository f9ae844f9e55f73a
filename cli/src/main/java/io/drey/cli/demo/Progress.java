package io.drey.cli.demo;

import io.drey.bench.flink.CheckpointSummary;
import io.drey.bench.format.Quantity;
import java.util.Locale;

/**
 * The state of a run at one moment. What is null nobody tells.
 *
 * @param events emitted since the job first started, with those before a restored checkpoint
 * @param eventsPerSecond since the previous moment; null right after a start or a recovery
 * @param diskBytes local files of the state backend
 * @param memoryName what kind of memory the next is
 * @param memoryBytes what the state backend holds in memory
 */
record Progress(
        long events,
        Long eventsPerSecond,
        Long diskBytes,
        String memoryName,
        Long memoryBytes,
        CheckpointSummary checkpoints) {
    /**
     * How the run goes on, in one line.
     *
     * @param total events of a whole run
     */
    String line(long total) {
        StringBuilder line = new StringBuilder();
        line.append(String.format(Locale.ROOT, "%3d%%  ", total == 0 ? 100 : events * 100 / total));
        line.append(Quantity.shortCount(events)).append(" of ").append(Quantity.shortCount(total));
        line.append(" events  ").append(rate());
        if (diskBytes != null) {
            line.append("  disk ").append(Quantity.size(diskBytes));
        }
        if (memoryBytes != null) {
            line.append("  ").append(memoryName).append(' ').append(Quantity.size(memoryBytes));
        }
        return line.append("  ").append(checkpoint(checkpoints.last())).toString();
    }

    private String rate() {
        if (eventsPerSecond != null) {
            return Quantity.shortCount(eventsPerSecond) + "/s";
        }
        return events == 0 ? "starting" : "-/s";
    }

    private static String checkpoint(CheckpointSummary.Completed last) {
        return last == null
                ? "no checkpoint yet"
                : "checkpoint " + last.id() + ": " + Quantity.millis(last.durationMs()) + ", "
                        + Quantity.size(last.fullBytes());
    }
}
