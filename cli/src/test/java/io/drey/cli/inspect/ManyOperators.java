package io.drey.cli.inspect;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;

/** Makes a checkpoint of a large job out of one of a small job: its operators again and again, under other names. */
public final class ManyOperators {
    private static final String METADATA = "_metadata";

    private ManyOperators() {}

    /** Makes the checkpoint {@code chk-<id>} beside one, with so many operators that have keyed state. */
    public static Path beside(Path checkpoint, int operators, long id) throws IOException {
        Path many = Files.createDirectory(checkpoint.resolveSibling("chk-" + id));
        try (Stream<Path> files = Files.list(checkpoint)) {
            for (Path file : files.filter(each -> !each.endsWith(METADATA)).toList()) {
                Files.copy(file, many.resolve(file.getFileName()));
            }
        }
        CheckpointMetadata small = read(checkpoint.resolve(METADATA));
        List<OperatorState> all = new ArrayList<>();
        while (all.size() < operators) {
            for (OperatorState each : small.getOperatorStates()) {
                boolean isKeyed = each.getStates().stream()
                        .anyMatch(subtask -> !subtask.getManagedKeyedState().isEmpty());
                if (isKeyed && all.size() < operators) {
                    all.add(again(each, all.size()));
                }
            }
        }
        try (OutputStream out = Files.newOutputStream(many.resolve(METADATA))) {
            Checkpoints.storeCheckpointMetadata(
                    new CheckpointMetadata(id, all, small.getMasterStates(), small.getCheckpointProperties()), out);
        }
        return many;
    }

    private static CheckpointMetadata read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Checkpoints.loadCheckpointMetadata(
                    new DataInputStream(in),
                    ManyOperators.class.getClassLoader(),
                    file.toUri().toString());
        }
    }

    private static OperatorState again(OperatorState operator, int number) {
        OperatorState copy = new OperatorState(
                operator.getOperatorName().orElse("operator") + " " + number,
                "uid-" + number,
                new OperatorID(1, number),
                operator.getParallelism(),
                operator.getMaxParallelism());
        operator.getSubtaskStates().forEach(copy::putState);
        return copy;
    }
}
