package io.drey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job may come to its end while it is to be stopped: then it ends as one that nobody stopped. */
class JobWatchTest {
    @ParameterizedTest
    @CsvSource({
        "NOT_ALL_REQUIRED_TASKS_RUNNING, true",
        "CHECKPOINT_COORDINATOR_SUSPEND, true",
        "CHECKPOINT_COORDINATOR_SHUTDOWN, true",
        "IO_EXCEPTION, false",
        "CHECKPOINT_EXPIRED, false"
    })
    void aSavepointThatTheJobHasNoTimeForIsNoFailure(CheckpointFailureReason reason, boolean isOutOfTime) {
        Throwable failure = new ExecutionException(new CompletionException(new CheckpointException(reason)));
        assertThat(JobWatch.isOutOfTime(failure)).isEqualTo(isOutOfTime);
    }
}
