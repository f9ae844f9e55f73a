package io.drey.flink.state.changelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.checkpoint.upload.Trash;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.SequenceNumber;
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
        return new ChangelogUploads(
                memoryBytes, new org.apache.flink.core.fs.Path(directory.toUri()), threads, trash, 0);
    }

    @Test
    void pagesThatComeBackWhileATaskTakesALastOneStopNoTask() throws Exception {
        try (ChangelogUploads uploads = uploads(4 * MB, work -> {})) {
            uploads.opened();
            ChangelogSection full = new ChangelogSection(null, 0);
            for (int i = 0; i < 449; i++) {
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

    @Test
    void aTaskThatFailsForWantOfAThreadKeepsNoPageOfItsOwn() {
        Executor none = work -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        try (ChangelogUploads uploads = uploads(4 * MB, none)) {
            uploads.opened();
            ChangelogSection waiting = new ChangelogSection(null, 0);
            synchronized (uploads) {
                uploads.add(waiting);
            }
            ChangelogSection growing = new ChangelogSection(null, 1);
            assertThatThrownBy(() -> {
                        while (true) {
                            growing.addPage(uploads.takePage());
                        }
                    })
                    .hasMessage("unable to create native thread");
            uploads.givePages(growing);
            assertThat(uploads.memoryUsed()).isZero();
            synchronized (uploads) {
                uploads.drop(waiting);
            }
            uploads.closed();
        }
    }

    @Test
    void whatAWriterTookIsStoredThoughThereIsNoThreadForTheRest() throws Exception {
        AtomicReference<Runnable> first = new AtomicReference<>();
        Executor one = work -> {
            if (!first.compareAndSet(null, work)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        try (ChangelogUploads uploads = uploads(64 * MB, one);
                ChangelogWriter writer = new ChangelogWriter(uploads, ChangelogFixture.KEY_GROUPS, checkpoint -> {})) {
            byte[] random = new byte[MB];
            for (int i = 0; i < 20; i++) {
                new Random(i).nextBytes(random);
                writer.append(1, random);
            }
            CompletableFuture<?> stored = writer.persist(SequenceNumber.of(0), 1);
            new Thread(first.get()).start();
            stored.get(20, TimeUnit.SECONDS);
            assertThat(uploads.filesStored()).isGreaterThan(1);
            assertThat(uploads.memoryUsed()).isZero();
        }
    }
}
