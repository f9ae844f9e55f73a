package io.drey.cli.inspect.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.cli.inspect.OddName;
import io.drey.foundation.CorruptFileException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.checkpoint.channel.InputChannelInfo;
import org.apache.flink.runtime.checkpoint.channel.ResultSubpartitionInfo;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.InputChannelStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStreamStateHandle;
import org.apache.flink.runtime.state.ResultSubpartitionStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle.ChangelogStateBackendHandleImpl;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files a snapshot has, by meta data as Flink writes them. */
class SnapshotReaderTest {
    private static final int FILE_BYTES = 100;

    @TempDir
    private Path directory;

    private StreamStateHandle file(String name) throws IOException {
        Path file = Files.write(directory.resolve(name), new byte[FILE_BYTES]);
        return new FileStateHandle(new org.apache.flink.core.fs.Path(file.toUri()), FILE_BYTES);
    }

    private static OperatorState operator(int number, OperatorSubtaskState subtask) {
        OperatorState operator =
                new OperatorState("name " + number, "uid-" + number, new OperatorID(1, number), 1, 128);
        operator.putState(0, subtask);
        return operator;
    }

    /** Two operators of a chain: what was under way before the first and after the last is in one file. */
    private Snapshot snapshot() throws IOException {
        StreamStateHandle inFlight = file("in-flight");
        OperatorSubtaskState first = OperatorSubtaskState.builder()
                .setInputChannelState(new StateObjectCollection<>(List.of(
                        new InputChannelStateHandle(new InputChannelInfo(0, 0), inFlight, List.of(0L)),
                        new InputChannelStateHandle(new InputChannelInfo(0, 1), inFlight, List.of(50L)))))
                .setRawKeyedState(
                        new KeyGroupsStateHandle(new KeyGroupRangeOffsets(KeyGroupRange.of(0, 127)), file("raw-keyed")))
                .build();
        OperatorSubtaskState last = OperatorSubtaskState.builder()
                .setResultSubpartitionState(StateObjectCollection.singleton(
                        new ResultSubpartitionStateHandle(new ResultSubpartitionInfo(0, 0), inFlight, List.of(70L))))
                .setRawOperatorState(new OperatorStreamStateHandle(Map.of(), file("raw-operator")))
                .build();
        return snapshot(List.of(operator(1, first), operator(2, last)));
    }

    private Snapshot snapshot(List<OperatorState> operators) throws IOException {
        try (OutputStream out = Files.newOutputStream(directory.resolve(SnapshotReader.METADATA))) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(7, operators, List.of()), out);
        }
        return SnapshotReader.read(directory, getClass().getClassLoader());
    }

    private static void verify(Snapshot snapshot) throws IOException {
        for (SnapshotOperator operator : snapshot.operators()) {
            for (SnapshotOperator.SubtaskPart each : operator.keyed()) {
                for (FileCheck check : each.part().checks()) {
                    check.run(bytes -> {});
                }
            }
            for (FileCheck check : operator.plainChecks()) {
                check.run(bytes -> {});
            }
        }
    }

    @Test
    void dataInFlightAndRawStateAreVerifiedEachFileOnce() throws IOException {
        Snapshot snapshot = snapshot();
        assertThat(snapshot.operators())
                .flatExtracting(SnapshotOperator::plainChecks)
                .hasSize(3);
        verify(snapshot);
        for (String name : List.of("in-flight", "raw-keyed", "raw-operator")) {
            Files.write(directory.resolve(name), new byte[FILE_BYTES - 1]);
            assertThatThrownBy(() -> verify(snapshot))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining(name);
            file(name);
        }
    }

    /** Of two tasks that share a file of changes; one of them has materialized state. */
    @Test
    void filesUnderAChangelogAreCountedAndVerifiedEachOnce() throws IOException {
        KeyGroupsStateHandle materialized =
                new KeyGroupsStateHandle(new KeyGroupRangeOffsets(KeyGroupRange.of(0, 127)), file("materialized"));
        List<OperatorState> operators = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            ChangelogStateHandleStreamImpl changes = new ChangelogStateHandleStreamImpl(
                    List.of(Tuple2.of(file("changes"), i * 10L)),
                    KeyGroupRange.of(0, 127),
                    FILE_BYTES,
                    FILE_BYTES,
                    "drey");
            List<KeyedStateHandle> base = i == 1 ? List.of(materialized) : List.of();
            operators.add(operator(
                    i,
                    OperatorSubtaskState.builder()
                            .setManagedKeyedState(new ChangelogStateBackendHandleImpl(
                                    base, List.of(changes), KeyGroupRange.of(0, 127), 7, 1, FILE_BYTES))
                            .build()));
        }
        Snapshot snapshot = snapshot(operators);
        assertThat(snapshot.bytes()).isEqualTo(2 * FILE_BYTES);
        verify(snapshot);
        for (String name : List.of("changes", "materialized")) {
            Files.write(directory.resolve(name), new byte[FILE_BYTES - 1]);
            assertThatThrownBy(() -> verify(snapshot))
                    .isInstanceOf(CorruptFileException.class)
                    .hasMessageContaining(name);
            file(name);
        }
    }

    /** Of a savepoint, whose meta data names files by where they are beside it. */
    @Test
    void aPathMayHaveCharactersThatAnAddressEscapes() throws IOException {
        directory = Files.createDirectory(directory.resolve(OddName.text()));
        org.apache.flink.core.fs.Path file = file("relative").maybeGetPath().orElseThrow();
        OperatorSubtaskState subtask = OperatorSubtaskState.builder()
                .setRawKeyedState(new KeyGroupsStateHandle(
                        new KeyGroupRangeOffsets(KeyGroupRange.of(0, 127)),
                        new RelativeFileStateHandle(file, "relative", FILE_BYTES)))
                .build();
        Snapshot snapshot = snapshot(List.of(operator(1, subtask)));
        verify(snapshot);
        Files.write(directory.resolve("relative"), new byte[FILE_BYTES - 1]);
        assertThatThrownBy(() -> verify(snapshot)).hasMessageContaining(directory.toString());
    }
}
