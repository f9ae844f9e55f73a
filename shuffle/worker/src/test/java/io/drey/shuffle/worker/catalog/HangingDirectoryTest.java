package io.drey.shuffle.worker.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import io.drey.shuffle.worker.device.DeviceDriver;
import io.drey.shuffle.worker.device.DeviceThread;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A directory whose thread stands in a read or write, in real time and with a real thread. */
final class HangingDirectoryTest {
    private static final long PATIENCE_MS = 50;

    @TempDir
    Path directory;

    private final SlabPool pool = new SlabPool(1 << 20);
    private final CountDownLatch hanging = new CountDownLatch(1);

    /** Of the test, and of the threads that open directories. */
    private final Phaser opening = new Phaser(1);

    private Storage open() throws IOException {
        return open(PATIENCE_MS);
    }

    private Storage open(long patienceMs) throws IOException {
        Storage.Disks disks = new DrivenDisks(path -> new DeviceThread("test " + path, patienceMs));
        return Storage.open(List.of(directory), disks, pool, 0);
    }

    /** Its thread stands when this returns. */
    private void hang(StorageDirectory hung) throws InterruptedException {
        CountDownLatch stands = new CountDownLatch(1);
        hung.loop().execute(() -> {
            stands.countDown();
            try {
                hanging.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        stands.await();
    }

    /** Its thread has begun, and has nothing to do. */
    private static void awaitIdle(StorageDirectory directory) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        directory.loop().execute(begun::countDown);
        begun.await();
        while (directory.loop().isAtWork()) {
            Thread.sleep(1);
        }
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
        Storage storage = open(StorageDirectory.HANGING_MS);
        StorageDirectory hung = storage.directories().get(0);
        awaitIdle(hung);
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

    /** What comes before an operation of a directory's disk, or in its place, if it gives something. */
    @FunctionalInterface
    private interface Before {
        Object of(Path directory, String operation) throws Exception;
    }

    private Storage.Disks disks(Path impatient, Before before) {
        Set<Path> begun = ConcurrentHashMap.newKeySet();
        return new Storage.Disks() {
            @Override
            public WorkerDisk of(Path directory) throws IOException {
                LocalDisk disk = new LocalDisk(directory);
                return (WorkerDisk) Proxy.newProxyInstance(
                        WorkerDisk.class.getClassLoader(), new Class<?>[] {WorkerDisk.class}, (any, method, given) -> {
                            begun.add(directory);
                            Object instead = before.of(directory, method.getName());
                            return instead == null ? method.invoke(disk, given) : instead;
                        });
            }

            @Override
            public long patienceMs(Path directory) {
                // A slow machine may take as long for the thread that is to begin.
                return directory.equals(impatient) && begun.contains(directory)
                        ? PATIENCE_MS
                        : StorageDirectory.HANGING_MS;
            }

            /** It is the opening that hangs. */
            @Override
            public DeviceDriver driver(Path directory) {
                return new DeviceThread("test " + directory, StorageDirectory.HANGING_MS);
            }

            @Override
            public void run(Path directory, Runnable task) {
                opening.register();
                Storage.Disks.super.run(directory, () -> {
                    try {
                        task.run();
                    } finally {
                        opening.arriveAndDeregister();
                    }
                });
            }
        };
    }

    /** A directory whose operations of a name do not end before {@link #go}. */
    private Storage.Disks hangingIn(Path hung, String hungOperation) {
        return disks(hung, (path, operation) -> {
            if (path.equals(hung) && operation.equals(hungOperation)) {
                hanging.await();
            }
            return null;
        });
    }

    private List<Path> two() {
        return List.of(directory.resolve("a"), directory.resolve("b"));
    }

    /** Waits until nobody has a directory. */
    private static void awaitUnlocked(Path path) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (Closeable lock = null; lock == null; Thread.sleep(5)) {
            assertThat(System.nanoTime()).as("the end of waiting for a lock").isLessThan(end);
            lock = new LocalDisk(path).lock(path.resolve("worker.lock"));
            if (lock != null) {
                lock.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "lock", "openToChange"})
    void aDirectoryThatHangsAtTheStartIsLeftOutAndClosedWhenItGoesOn(String operation) throws Exception {
        List<Path> paths = two();
        UUID worker;
        UUID whole;
        try (Storage storage = Storage.open(paths, LocalDisk::new, pool, 0)) {
            worker = storage.worker();
            whole = storage.incarnation();
        }
        Path hung = paths.get(0);
        Files.createDirectories(hung.resolve("job"));
        Files.createFile(hung.resolve("job/commits.journal"));
        try (Storage storage = Storage.open(paths, hangingIn(hung, operation), pool, 0)) {
            assertThat(storage.worker()).isEqualTo(worker);
            assertThat(storage.incarnation()).isNotEqualTo(whole);
            assertThat(storage.leftOut()).containsExactly(hung);
            hanging.countDown();
            // Else it may be about to take the lock.
            opening.awaitAdvanceInterruptibly(opening.arrive(), 30, TimeUnit.SECONDS);
            awaitUnlocked(hung);
            assertThat(storage.directories()).extracting(StorageDirectory::path).containsExactly(paths.get(1));
        }
        try (Storage storage = Storage.open(paths, LocalDisk::new, pool, 0)) {
            assertThat(storage.incarnation()).isEqualTo(whole);
        }
    }

    @Test
    void aWorkerWhoseOnlyDirectoryHangsDoesNotStart() {
        assertThatThrownBy(() -> Storage.open(List.of(directory), hangingIn(directory, "list"), pool, 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it hangs");
    }

    @Test
    void aDirectoryThatIsSlowButGoesOnIsWaitedFor() throws Exception {
        CountDownLatch looks = new CountDownLatch(5);
        AtomicLong steps = new AtomicLong();
        Storage.Disks slow = disks(directory, (path, operation) -> {
            if (operation.equals("lock")) {
                looks.await();
            }
            if (operation.equals("steps")) {
                looks.countDown();
                return steps.incrementAndGet();
            }
            return null;
        });
        try (Storage storage = Storage.open(List.of(directory), slow, pool, 0)) {
            assertThat(storage.leftOut()).isEmpty();
        }
    }

    /** Else the last one waits for what all others hold. */
    @Test
    void directoriesAreReadAtTheSameTime() throws Exception {
        CountDownLatch reading = new CountDownLatch(2);
        Storage.Disks disks = disks(null, (path, operation) -> {
            if (operation.equals("lock")) {
                reading.countDown();
                reading.await();
            }
            return null;
        });
        try (Storage storage = Storage.open(two(), disks, pool, 0)) {
            assertThat(storage.leftOut()).isEmpty();
        }
    }

    @Test
    void aWorkerEndsWithWhatHangsLast() throws Exception {
        Storage storage = Storage.open(two(), LocalDisk::new, pool, 0);
        hang(storage.directories().get(0));
        awaitIdle(storage.directories().get(1));
        CompletableFuture<Void> end = CompletableFuture.runAsync(() -> {
            try {
                storage.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        awaitUnlocked(two().get(1));
        assertThat(end).isNotDone();
        hanging.countDown();
        end.join();
    }
}
