package io.drey.flink.state.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.Trash;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where tasks and the threads that write files meet. */
@Timeout(120)
class ChangelogUploadsTest {
    private static final int MB = 1 << 20;

    @TempDir
    Path directory;

    private ChangelogUploads uploads(int memoryBytes, Executor threads) {
        Trash<StreamStateHandle> trash = new Trash<>(Runnable::run, StateObject::discardState, (handle, cause) -> {});
        return new ChangelogUploads(memoryBytes, new org.apache.flink.core.fs.Path(directory.toUri()), threads, trash);
    }

    @Test
    void pagesThatComeBackWhileATaskTakesALastOneStopNoTask() throws Exception {
        try (ChangelogUploads uploads = uploads(4 * MB, work -> {})) {
            uploads.opened();
            ChangelogSection full = new ChangelogSection(null, 0);
            for (int i = 0; i < 448; i++) {
                full.addPage(uploads.takePage());
            }
            ChangelogSection last = new ChangelogSection(null, 1);
            Thread task = new Thread(() -> last.addPage(uploads.takePage()));
            synchronized (uploads) {
                task.start();
                while (task.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
                uploads.givePages(full);
            }
            task.join();
            assertThat(uploads.availability().isAvailable()).isTrue();
            uploads.givePages(last);
            uploads.closed();
        }
    }
}
