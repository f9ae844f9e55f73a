package io.drey.shuffle.worker.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import io.drey.shuffle.worker.device.DeviceThread;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory whose thread stands in a read or write, in real time and with a real thread. */
final class HangingDirectoryTest {
    private static final long PATIENCE_MS = 50;

    @TempDir
    Path directory;

    private final SlabPool pool = new SlabPool(1 << 20);
    private final CountDownLatch hanging = new CountDownLatch(1);

    private Storage open() throws IOException {
        Storage.Disks disks = new DrivenDisks(path -> new DeviceThread("test " + path, PATIENCE_MS));
        return Storage.open(List.of(directory), disks, pool, 0);
    }

    private void hang(StorageDirectory hung) {
        hung.loop().execute(() -> {
            try {
                hanging.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    @AfterEach
    void go() {
        hanging.countDown();
    }

    /** What hangs may still be written. */
    @Test
    void aWorkerEndsWithoutItAndKeepsOthersOut() throws Exception {
        Storage storage = open();
        hang(storage.directories().get(0));
        assertThatThrownBy(storage::close)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected " + directory + " to end its last read or write, found that it hangs");
        assertThatThrownBy(this::open)
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("no other worker uses " + directory);
    }

    @Test
    void itHangsWhenItHasStoodStillForAMinuteAndNoLonger() throws Exception {
        Storage storage = open();
        StorageDirectory hung = storage.directories().get(0);
        storage.watch(0);
        storage.watch(1_000_000);
        assertThat(hung.isHanging()).as("without work").isFalse();
        hang(hung);
        storage.watch(1_000_000);
        storage.watch(1_059_999);
        assertThat(hung.isHanging()).isFalse();
        storage.watch(1_060_000);
        assertThat(hung.isHanging()).isTrue();
        assertThat(storage.isHanging()).isTrue();
        assertThat(hung.trouble()).startsWith("a read or write has not ended for 60 s");
        assertThat(storage.freeBytes()).isZero();
        hanging.countDown();
        // It ends its work before it closes.
        storage.close();
        storage.watch(1_060_001);
        assertThat(hung.isHanging()).isFalse();
    }
}
