package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a look into a checkpoint, while its files go. */
class InspectDeletedTest {
    private static final int FILE_BYTES = 100;

    @TempDir
    private Path directory;

    private Path checkpoint;
    private Path file;

    /** Does something once the overview is about to be printed: then all files are still to be read. */
    private static final class Interrupting extends FilterWriter {
        private final ThrowingRunnable action;
        private boolean isDone;

        @FunctionalInterface
        interface ThrowingRunnable {
            void run() throws IOException;
        }

        Interrupting(ThrowingRunnable action) {
            super(new StringWriter());
            this.action = action;
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            if (!isDone) {
                isDone = true;
                action.run();
            }
            super.write(text, offset, length);
        }
    }

    @BeforeEach
    void makeCheckpoint() throws IOException {
        checkpoint = Files.createDirectory(directory.resolve("chk-7"));
        file = Files.write(checkpoint.resolve("raw"), new byte[FILE_BYTES]);
        OperatorState operator = new OperatorState("name", "uid", new OperatorID(1, 1), 1, 128);
        operator.putState(
                0,
                OperatorSubtaskState.builder()
                        .setRawKeyedState(new KeyGroupsStateHandle(
                                new KeyGroupRangeOffsets(KeyGroupRange.of(0, 127)),
                                new FileStateHandle(new org.apache.flink.core.fs.Path(file.toUri()), FILE_BYTES)))
                        .build());
        try (OutputStream out = Files.newOutputStream(checkpoint.resolve("_metadata"))) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(7, List.of(operator), List.of()), out);
        }
    }

    private String verified(Interrupting.ThrowingRunnable action) {
        StringWriter err = new StringWriter();
        int exit = Drey.commandLine()
                .setOut(new PrintWriter(new Interrupting(action), true))
                .setErr(new PrintWriter(err, true))
                .execute("inspect", checkpoint.toString(), "--verify");
        assertThat(exit).isOne();
        assertThat(err.toString().lines()).as(err.toString()).hasSize(1);
        return err.toString();
    }

    @Test
    void aCheckpointThatItsJobDeletesIsNotCalledDamaged() {
        assertThat(verified(() -> FileUtils.deleteDirectory(checkpoint.toFile())))
                .contains(checkpoint + " was deleted while it was read", "num-retained")
                .doesNotContain("damaged");
    }

    @Test
    void aFileThatIsMissingInACheckpointThatStaysIsCalledMissing() {
        assertThat(verified(() -> Files.delete(file))).contains("Some of its files are damaged or missing", file + "");
    }
}
