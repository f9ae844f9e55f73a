package io.drey.files.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.DiskFullException;
import io.drey.files.FarAwayException;
import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class DownloadsTest extends FarRestore {
    @Test
    void whatIsReadComesFirstAndOnce() throws IOException {
        byte[] bytes = put("a", BYTES);
        assertThat(local.exists("a")).isTrue();
        assertThat(local.list()).containsExactly("a");
        assertThat(downloads.bytesLeft()).isEqualTo(BYTES);
        assertThat(read("a", 2L * RANGE - 5, 10)).isEqualTo(Arrays.copyOfRange(bytes, 2 * RANGE - 5, 2 * RANGE + 5));
        assertThat(far.bytesRead.get()).isEqualTo(2L * RANGE);
        assertThat(read("a", RANGE, 2 * RANGE)).isEqualTo(Arrays.copyOfRange(bytes, RANGE, 3 * RANGE));
        assertThat(read("a", BYTES - 3, 3)).isEqualTo(Arrays.copyOfRange(bytes, BYTES - 3, BYTES));
        assertThat(far.bytesRead.get()).isEqualTo(2L * RANGE + 77);
        assertThat(downloads.bytesLeft()).isEqualTo(3L * RANGE);
        assertThat(downloads.rangesRead()).isEqualTo(3);
        assertThat(local.isWhole("a")).isFalse();
    }

    @Test
    void wantOfAThreadIsNoFailureWhenAllIsHere() throws IOException {
        put("a", BYTES);
        Executor tillWhole = step -> {
            if (!told.isEmpty()) {
                throw new RejectedExecutionException("no thread");
            }
            steps.add(step);
        };
        downloads.begin(tillWhole, 1);
        runAll();
        assertThat(told).containsExactly("whole");
    }

    /** A client of an object store keeps a connection for each stream, and has few of them. */
    @Test
    void beginAndEndOfAFileComeByOneStreamWhichIsClosedThen() throws IOException {
        put("a", BYTES);
        local.fetchBegin("a", true);
        assertThat(far.bytesRead.get()).isEqualTo(2L * RANGE + 77);
        assertThat(far.opened).hasValue(1);
        assertThat(far.open()).isZero();
    }

    /** A client of S3 asks for each range by itself for as long as a stream is open that was told to go back. */
    @Test
    void theBackgroundReadsForwardByAStreamOfItsOwn() throws IOException {
        byte[] bytes = put("a", 40 * RANGE);
        local.fetchBegin("a", true);
        read("a", 30L * RANGE, 1);
        downloads.begin(steps::add, 1);
        int back = far.backwardSeeks.get();
        steps.remove().run();
        read("a", 25L * RANGE, 1);
        expect("a", 35);
        read("a", 22L * RANGE, 1);
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(memory.content("a")).isEqualTo(bytes);
        assertThat(far.opened).hasValue(3);
        assertThat(far.backwardSeeks.get() - back).as("those of readers").isEqualTo(2);
    }

    @Test
    void allRestoresOfAProcessTogetherKeepFewStreamsForTheNextRead() throws IOException {
        streamsMax = 48;
        List<Downloads> restores = new ArrayList<>();
        try {
            for (int restore = 0; restore < 4; restore++) {
                Downloads more = new Downloads(Downloads.Limits.DEFAULT, System::nanoTime, listener);
                restores.add(more);
                for (int file = 0; file < 12; file++) {
                    String name = restore + "-" + file;
                    far.put(name, new byte[200_000]);
                    local.add(more, far.file(name), FileChecksum.NONE);
                    read(name, 100_000, 1);
                }
            }
            assertThat(far.open()).isEqualTo(IdleStreams.PROCESS_MAX);
            assertThat(far.opened).hasValue(48);
            assertThat(read("3-11", 0, 1)).containsExactly(0);
            assertThat(far.opened).hasValue(48);
            assertThat(read("0-0", 0, 1)).containsExactly(0);
            assertThat(far.opened).hasValue(49);
            restores.get(3).close();
            assertThat(far.open()).isEqualTo(IdleStreams.PROCESS_MAX - 12);
        } finally {
            for (Downloads each : restores) {
                each.close();
            }
        }
    }

    @Test
    void theBackgroundCompletesAllFilesAndThenTheStorageIsNotAsked() throws IOException {
        byte[] a = put("a", BYTES);
        byte[] b = put("b", 10);
        put("none", 0);
        downloads.begin(steps::add, 2);
        assertThat(told).isEmpty();
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(downloads.bytesLeft()).isZero();
        assertThat(far.open()).isZero();
        far.delete("a");
        far.delete("b");
        assertThat(read("a", 0, BYTES)).isEqualTo(a);
        assertThat(read("b", 0, 10)).isEqualTo(b);
        assertThat(local.isWhole("a")).isTrue();
        assertThat(memory.content("a")).isEqualTo(a);
        assertThat(far.bytesRead.get()).isEqualTo(BYTES + 10L);
    }

    @Test
    void nothingToFetchIsToldAtOnce() {
        downloads.begin(steps::add, 2);
        assertThat(told).containsExactly("whole");
        assertThat(steps).isEmpty();
    }

    @Test
    void failingReadsAreRepeatedAndThenFailWithTheNameOfTheFile() throws IOException {
        byte[] bytes = put("a", BYTES);
        far.fail(2);
        assertThat(read("a", 0, 10)).isEqualTo(Arrays.copyOf(bytes, 10));
        far.fail(3);
        assertThatThrownBy(() -> read("a", RANGE, 10))
                .isInstanceOf(FarAwayException.class)
                .hasMessageContaining(
                        "expected bytes " + RANGE + " to " + 2 * RANGE + " of far/a for file a, found after"
                                + " 3 attempts: far away, on purpose; restore from another checkpoint if it is lost");
        assertThat(read("a", RANGE, 10)).isEqualTo(Arrays.copyOfRange(bytes, RANGE, RANGE + 10));
        assertThat(told).isEmpty();
    }

    @Test
    void aBackgroundThatFailsFailsWhatHasNotCome() throws IOException {
        byte[] bytes = put("a", BYTES);
        read("a", 0, 10);
        downloads.begin(steps::add, 2);
        far.fail(3);
        runAll();
        assertThat(told).singleElement().asString().contains("of far/a for file a, found after 3 attempts");
        assertThatThrownBy(() -> read("a", 4L * RANGE, 10))
                .hasMessageContaining("file a of far/a has not come: expected bytes");
        assertThat(read("a", 0, 10)).isEqualTo(Arrays.copyOf(bytes, 10));
    }

    @Test
    void aBackgroundWithoutMemoryFailsWhatHasNotCome() throws IOException {
        put("a", 1_000);
        far.beforeRead(() -> {
            throw new OutOfMemoryError("Direct buffer memory");
        });
        downloads.begin(steps::add, 1);
        runAll();
        far.beforeRead(() -> {});
        assertThat(told).hasSize(1).first().asString().contains("Direct buffer memory");
        assertThatThrownBy(() -> read("a", 0, 10)).hasMessageContaining("Direct buffer memory");
    }

    @Test
    void aBackgroundWithoutAThreadFailsWhatHasNotCome() throws IOException {
        put("a", 1_000);
        downloads.begin(
                work -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                1);
        assertThat(told).hasSize(1).first().asString().contains("unable to create native thread");
    }

    /** As at a limit of threads, which a process may reach for a while. */
    @Test
    void oneThreadIsEnoughWhereThereAreNoMore() throws IOException {
        byte[] bytes = put("a", BYTES);
        put("b", BYTES);
        Executor ofOneThread = step -> {
            if (!steps.isEmpty()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            steps.add(step);
        };
        downloads.begin(ofOneThread, 2);
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(memory.content("a")).isEqualTo(bytes);
    }

    @Test
    void aRangeThatAReaderCouldNotFetchComesInTheBackground() throws IOException {
        byte[] bytes = put("a", RANGE);
        downloads.begin(steps::add, 1);
        Runnable step = steps.poll();
        far.fail(3);
        far.beforeRead(() -> {
            if (!steps.isEmpty()) {
                return;
            }
            far.beforeRead(() -> {});
            step.run();
        });
        assertThatThrownBy(() -> read("a", 0, 1)).hasMessageContaining("3 attempts");
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(memory.content("a")).isEqualTo(bytes);
    }

    @Test
    void filesOfAnotherLengthAreRefused() throws IOException {
        put("a", BYTES);
        far.cutAt(3 * RANGE + 10);
        assertThatThrownBy(() -> read("a", 3L * RANGE, 10)).hasMessageContaining("it ends at " + (3 * RANGE + 10));
        far.cutAt(Integer.MAX_VALUE);
        local.add(downloads, rename("b", far.file("a", 2 * RANGE)), FileChecksum.NONE);
        assertThatThrownBy(() -> read("b", RANGE, 10)).hasMessageContaining("it is longer");
    }

    private static RemoteFile rename(String name, RemoteFile file) {
        return new RemoteFile() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public long bytes() {
                return file.bytes();
            }

            @Override
            public String describe() {
                return file.describe();
            }

            @Override
            public RemoteStream open() throws IOException {
                return file.open();
            }
        };
    }

    @Test
    void aFileThatIsNotWhatWasStoredIsNoticedWhenItIsWhole() throws IOException {
        byte[] bytes = put("a", BYTES);
        byte[] damaged = bytes.clone();
        damaged[3 * RANGE + 1] ^= 4;
        far.put("a", damaged);
        downloads.begin(steps::add, 2);
        runAll();
        assertThat(told)
                .singleElement()
                .asString()
                .contains("expected file a of far/a to have the checksum", "it is damaged, restore from another");
        assertThat(local.isWhole("a")).isFalse();
    }

    @Test
    void aDeletedFileStopsComing() throws IOException {
        put("a", BYTES);
        byte[] b = put("b", 2 * RANGE);
        read("a", 0, 10);
        downloads.begin(steps::add, 1);
        ReadableFile reader = local.open("a");
        local.delete("a");
        far.delete("a");
        assertThatThrownBy(() -> reader.read(2L * RANGE, ByteBuffer.allocate(1)))
                .hasMessageContaining("after it was deleted");
        reader.close();
        assertThat(downloads.bytesLeft()).isEqualTo(2L * RANGE);
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(read("b", 0, 2 * RANGE)).isEqualTo(b);
        assertThat(local.exists("a")).isFalse();
    }

    @Test
    void aStreamThatFailsAtItsEndHarmsNoFile() throws IOException {
        far.failEnds(true);
        put("a", BYTES);
        byte[] b = put("b", 2 * RANGE);
        read("a", 0, 10);
        local.delete("a");
        assertThat(local.exists("a")).isFalse();
        downloads.begin(steps::add, 1);
        runAll();
        assertThat(told).containsExactly("whole");
        assertThat(read("b", 0, 2 * RANGE)).isEqualTo(b);
        far.failEnds(false);
    }

    @Test
    void filesThatOthersWillDeleteFarAwayAreCompletedBefore() throws IOException {
        byte[] a = put("a", BYTES);
        put("b", BYTES);
        local.completeExcept(Set.of("b"));
        assertThat(local.isWhole("a")).isTrue();
        assertThat(local.isWhole("b")).isFalse();
        far.delete("a");
        assertThat(read("a", 0, BYTES)).isEqualTo(a);
    }

    @Test
    void spaceForAllFilesIsKeptFromTheBeginOn() throws IOException {
        disk.spaceLeft(3L * RANGE);
        put("a", 2 * RANGE);
        assertThat(local.usableBytes()).isEqualTo(RANGE);
        far.put("b", new byte[2 * RANGE]);
        assertThatThrownBy(() -> local.add(downloads, far.file("b"), FileChecksum.NONE))
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("expected room for b in a local directory, found all of them full")
                .hasMessageContaining(RANGE + " bytes left");
        read("a", 0, 1);
        assertThat(local.usableBytes()).isEqualTo(RANGE);
        try (WritableFile other = local.create("c")) {
            other.write(ByteBuffer.allocate(10));
        }
        local.delete("a");
        assertThat(local.usableBytes()).isEqualTo(2L * RANGE - 10);
    }

    @Test
    void aDiskThatFillsUpMeanwhileIsSaidSo() throws IOException {
        put("a", BYTES);
        downloads.begin(steps::add, 1);
        disk.spaceLeft(RANGE / 2);
        runAll();
        assertThat(told).singleElement().asString().contains("expected room for a in a local directory");
    }

    @Test
    void manyReadersFetchEachRangeOnce() throws Exception {
        byte[] bytes = put("a", 8 * RANGE);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        AtomicInteger pieces = new AtomicInteger();
        try {
            downloads.begin(
                    work -> {
                        pieces.incrementAndGet();
                        threads.execute(() -> {
                            work.run();
                            pieces.decrementAndGet();
                        });
                    },
                    2);
            List<Future<?>> readers = new ArrayList<>();
            for (int reader = 0; reader < 4; reader++) {
                SplittableRandom random = new SplittableRandom(reader);
                readers.add(threads.submit(() -> {
                    for (int i = 0; i < 200; i++) {
                        int position = random.nextInt(bytes.length - 1000);
                        assertThat(read("a", position, 1000))
                                .isEqualTo(Arrays.copyOfRange(bytes, position, position + 1000));
                    }
                    return null;
                }));
            }
            for (Future<?> reader : readers) {
                reader.get(1, TimeUnit.MINUTES);
            }
            local.completeExcept(Set.of());
            // Who has fetched the last range looks for more, in a thread of these.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (pieces.get() > 0 && System.nanoTime() < end) {
                Thread.sleep(1);
            }
            assertThat(pieces).hasValue(0);
        } finally {
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(far.bytesRead.get()).isEqualTo(bytes.length);
        assertThat(told).containsExactly("whole");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Some clients close a stream when its read has ended, and the read hangs. */
    @Test
    void closingEndsReadersThatWaitThoughAStreamCannotBeClosed() throws Exception {
        put("a", BYTES);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        far.beforeRead(() -> {
            reading.countDown();
            await(goesOn);
        });
        far.beforeEnd(() -> await(goesOn));
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Future<byte[]> hanging = threads.submit(() -> read("a", 0, 1));
            reading.await();
            Future<byte[]> waiting = threads.submit(() -> read("a", 0, 1));
            Future<?> closing = threads.submit(() -> {
                downloads.close();
                return null;
            });
            assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES)).hasMessageContaining("has ended with its task");
            assertThat(hanging).isNotDone();
            goesOn.countDown();
            closing.get(1, TimeUnit.MINUTES);
        } finally {
            goesOn.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void closingEndsReadersThatWait() throws Exception {
        put("a", BYTES);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        far.beforeRead(() -> {
            reading.countDown();
            await(closed);
        });
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<byte[]> first = threads.submit(() -> read("a", 0, 1));
            reading.await();
            Future<byte[]> second = threads.submit(() -> read("a", 0, 1));
            downloads.close();
            assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES)).hasMessageContaining("has ended with its task");
            closed.countDown();
            assertThatThrownBy(() -> first.get(1, TimeUnit.MINUTES)).hasMessageContaining("has ended with its task");
        } finally {
            closed.countDown();
            threads.shutdown();
            assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(told).isEmpty();
    }
}
