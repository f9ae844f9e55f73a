package io.drey.cli.inspect;

import io.drey.bench.format.Quantity;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.terminal.ProgressLine;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads all files of a snapshot and finds those that are damaged or missing. One thread, one buffer. */
final class Verification {
    private static final long MILLIS_BETWEEN_MOMENTS = 200;

    private final Snapshot snapshot;
    private final ProgressLine progress;
    private final long bytesTotal;
    private long bytes;
    private long shownMillis = System.currentTimeMillis();

    Verification(Snapshot snapshot, ProgressLine progress) {
        this.snapshot = snapshot;
        this.progress = progress;
        this.bytesTotal = snapshot.bytes();
    }

    /** A sentence for each part of the snapshot that is not as it should be. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (SnapshotOperator operator : snapshot.operators()) {
            try {
                operator.verifyOperatorState(this::add);
            } catch (IOException | DreyException e) {
                problems.add("Operator " + operator.name() + ", operator state: " + e.getMessage());
            }
            for (SubtaskPart each : operator.keyed()) {
                try {
                    each.part().verify(this::add);
                } catch (IOException | DreyException e) {
                    problems.add("Operator " + operator.name() + ", subtask " + each.subtask() + ": " + e.getMessage());
                }
            }
        }
        progress.end();
        return problems;
    }

    long bytes() {
        return bytes;
    }

    private void add(long count) {
        bytes += count;
        long now = System.currentTimeMillis();
        if (now - shownMillis >= MILLIS_BETWEEN_MOMENTS) {
            shownMillis = now;
            progress.show("Verified " + Quantity.size(bytes) + " of " + Quantity.size(bytesTotal));
        }
    }
}
