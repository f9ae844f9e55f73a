package io.drey.cli.inspect.snapshot;

import java.nio.file.Path;
import java.util.List;

/**
 * A checkpoint or savepoint.
 *
 * @param directory in which its {@code _metadata} lies
 * @param kind as people say it
 */
public record Snapshot(Path directory, String kind, long checkpointId, List<SnapshotOperator> operators) {
    public long bytes() {
        return operators.stream().mapToLong(SnapshotOperator::bytes).sum();
    }
}
