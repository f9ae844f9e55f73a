package io.drey.files.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DirectoryLockTest {
    @TempDir
    private Path directory;

    /** What a killed process has left in a base directory. */
    private Path left(String base) throws IOException {
        Path left = Files.createDirectories(directory.resolve(base).resolve("drey-left"));
        Files.createFile(left.resolveSibling("drey-left.lock"));
        return left;
    }

    /** As where another job's local directory is on a server that is away. */
    @Test
    void aBaseWhoseCleaningHangsKeepsNobodyFromAnother() throws Exception {
        Path slow = left("slow");
        Path other = left("other");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CompletableFuture<Void> hanging = CompletableFuture.runAsync(() ->
                DirectoryLock.deleteAbandoned(slow.getParent(), "drey-", new DirectoryLock.Listener() {
                    @Override
                    public void deleted(Path deleted) {
                        begun.countDown();
                        try {
                            go.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                }));
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        try {
            DirectoryLock.Listener silent = new DirectoryLock.Listener() {};
            CompletableFuture.runAsync(() -> {
                        DirectoryLock.deleteAbandoned(slow.getParent(), "drey-", silent);
                        DirectoryLock.deleteAbandoned(other.getParent(), "drey-", silent);
                    })
                    .get(20, TimeUnit.SECONDS);
            assertThat(other).doesNotExist();
        } finally {
            go.countDown();
        }
        hanging.get(1, TimeUnit.MINUTES);
    }
}
