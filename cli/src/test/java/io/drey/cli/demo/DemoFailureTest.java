package io.drey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.client.JobInitializationException;
import org.apache.flink.util.DynamicCodeLoadingException;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.SerializedThrowable;
import org.junit.jupiter.api.Test;

class DemoFailureTest {
    private static final Path CHECKPOINT = Path.of("/checkpoints/chk-7");

    private static final Path DIRECTORY = Path.of("/checkpoints");

    private final DemoFailure restoring = new DemoFailure(CHECKPOINT, DIRECTORY);

    private static Throwable initialization(Throwable cause) {
        return new JobInitializationException(new JobID(), "Could not start the JobMaster.", cause);
    }

    private static DynamicCodeLoadingException missingBackend() {
        return new DynamicCodeLoadingException(
                "Cannot find configured state backend factory class: org.example.Backend",
                new ClassNotFoundException("org.example.Backend"));
    }

    @Test
    void aMissingBackendIsNoDamagedCheckpoint() {
        assertThat(restoring.sentence(initialization(missingBackend())))
                .isEqualTo("The state backend needs class org.example.Backend, which is missing: choose another"
                        + " --backend, or put the jar that has it on the class path.")
                .isEqualTo(new DemoFailure(null, DIRECTORY).sentence(initialization(missingBackend())))
                .isEqualTo(restoring.sentence(new SerializedThrowable(initialization(missingBackend()))));
    }

    @Test
    void aLibraryOfABackendThatIsMissingIsNamed() {
        assertThat(restoring.sentence(initialization(new IOException(
                        "Could not load the state backend", new NoClassDefFoundError("org/example/Native")))))
                .startsWith("The state backend needs class org.example.Native, which is missing");
    }

    @Test
    void anotherMissingClassIsNamedWithWhatMayNeedIt() {
        assertThat(restoring.sentence(initialization(new ClassNotFoundException("org.example.Event"))))
                .isEqualTo("The job, or the checkpoint at " + CHECKPOINT
                        + ", needs class org.example.Event, which is missing: put the jar that has it on the class"
                        + " path.");
        assertThat(new DemoFailure(null, DIRECTORY).sentence(new ClassNotFoundException("org.example.Event")))
                .startsWith("The job needs class org.example.Event");
    }

    @Test
    void whatFailsWhileRestoringIsDamagedOrOfAnotherJob() {
        assertThat(restoring.sentence(initialization(new IOException("cut off"))))
                .isEqualTo("The checkpoint at " + CHECKPOINT
                        + " cannot be restored: it is damaged or not of this job; IOException: cut off.");
        assertThat(restoring.sentence(new IOException("later"))).isEqualTo("The job failed: IOException: later.");
    }

    /** Flink tells the reason to its log only; most often the disk is full. */
    @Test
    void ofACheckpointThatFailsItSaysWhatItsDiskHasLeft() {
        assertThat(restoring.sentence(new IOException(
                        "Recovery is suppressed",
                        new FlinkRuntimeException(
                                "Exceeded checkpoint tolerable failure threshold. The latest checkpoint"
                                        + " failed due to Failure to finalize checkpoint."))))
                .matches("A checkpoint into /checkpoints failed, whose disk has [\\d.]+ \\w+ left\\.");
    }
}
