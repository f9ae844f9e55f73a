package io.drey.bench.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.DreyException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailureSentenceTest {
    @Test
    void theLastThatDreySaysIsTold() {
        assertThat(FailureSentence.of(new IllegalStateException(
                        "the task failed", new DreyException("the disk is full", new IOException("No space left")))))
                .isEqualTo("The job failed: DreyException: the disk is full.");
        assertThat(FailureSentence.of(new IllegalStateException("the task failed", new IOException("No space left."))))
                .isEqualTo("The job failed: IOException: No space left.");
    }

    /** A path of a task's directory alone may have 400 letters; behind it is the reason, and what to do. */
    @Test
    void aLongMessageKeepsItsBeginAndItsEnd() {
        String message = "expected room for 1.run, found all of them full: /" + "local/".repeat(100)
                + " (0 bytes left): free space there, or add a directory to state.backend.drey.local-dir";

        assertThat(FailureSentence.of(new DreyException(message, null)))
                .startsWith("The job failed: DreyException: expected room for 1.run, found all of them full: /local/")
                .containsOnlyOnce(" ... ")
                .endsWith(" (0 bytes left): free space there, or add a directory to state.backend.drey.local-dir.")
                .hasSizeBetween(400, 420);
    }
}
