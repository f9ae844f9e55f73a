package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.upload.Listing;
import io.drey.files.IoCounts;
import io.drey.files.WritableFile;
import io.drey.files.disks.DiskSet;
import io.drey.files.memory.MemoryDirectory;
import io.drey.flink.state.pack.Packs;
import io.drey.flink.state.task.Time;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Stores that upload at the same time. */
@Timeout(120)
class FileUploadsTest {
    private static final int SMALL_BYTES = 10;
    private static final int LARGE_BYTES = 1_000;

    /** Of one store at once. */
    private static final int PARALLEL_MAX = 2;

    @TempDir
    java.nio.file.Path storage;

    private final JobID job = new JobID();
    private final Packs packs = new Packs(LARGE_BYTES, 1 << 20);
    private final SharedFiles sharedFiles = SharedFiles.restored(Map.of(), Runnable::run);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Large files wait for it. */
    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void end() {
        release.countDown();
        threads.shutdown();
        sharedFiles.close();
    }

    /** The streams of a checkpoint. */
    private final class NamedStreams implements FileUploads.Streams {
        @Override
        public CheckpointStateOutputStream open(FileInfo file) throws IOException {
            if (file.bytes() >= LARGE_BYTES) {
                await(release);
            }
            return NamedStream.create(new Path(storage.toUri()), file.name(), sharedFiles.trash());
        }

        @Override
        public Packs.Key packs() {
            return new Packs.Key(job, new Path(storage.toUri()), 1);
        }

        @Override
        public boolean isObject(FileInfo file) {
            return true;
        }

        @Override
        public boolean mayBeOutrun(FileInfo file) {
            return false;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A store with its files, whose checkpoint has begun. */
    private final class Store {
        private final DiskSet directory = new DiskSet(List.of(new MemoryDirectory()), 0, System::nanoTime);
        private final List<FileInfo> files = new ArrayList<>();
        private final FileUploads uploads;
        private final FileUploads.Coming coming;

        Store(Time time) {
            uploads = new FileUploads(
                    directory,
                    threads,
                    PARALLEL_MAX,
                    packs,
                    new Packs.Task(job, ExecutionAttemptID.randomId()),
                    new IoCounts(),
                    sharedFiles.trash(),
                    new UploadTimes(),
                    time);
            coming = uploads.coming();
        }

        Store with(String name, int bytes) throws IOException {
            try (WritableFile file = directory.create(name)) {
                file.write(ByteBuffer.allocate(bytes));
            }
            files.add(new FileInfo(name, bytes));
            return this;
        }

        Map<String, StreamStateHandle> upload() throws Exception {
            Listing<StreamStateHandle> listing = SharedFiles.restored(Map.of(), Runnable::run)
                    .enter(1, SharingFilesStrategy.FORWARD_BACKWARD, new MemCheckpointStreamFactory(1 << 20));
            listing.decide(files.stream().map(FileInfo::name).toList());
            return uploads.upload(files, listing, new NamedStreams(), coming, new CloseableRegistry());
        }
    }

    /** Time that stands still: who waits goes on when others have done something. */
    private static final class Standstill implements Time {
        private final long nanos = System.nanoTime();
        private final CountDownLatch waits = new CountDownLatch(1);

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public boolean await(CountDownLatch latch, long limit) throws InterruptedException {
            waits.countDown();
            latch.await();
            return true;
        }

        @Override
        public void set(Runnable alarm, long at) {
            throw new UnsupportedOperationException("nothing is prepared here");
        }

        @Override
        public void cancel(Runnable alarm) {
            throw new UnsupportedOperationException("nothing is prepared here");
        }
    }

    @Test
    void aPackDoesNotWaitForTheLargeFilesOfTheStoreThatWritesIt() throws Exception {
        new Store(Time.SYSTEM).coming.close();
        Standstill time = new Standstill();
        Store patient = new Store(time).with("a", SMALL_BYTES);
        Store writer = new Store(Time.SYSTEM)
                .with("large1", LARGE_BYTES)
                .with("b", SMALL_BYTES)
                .with("large2", LARGE_BYTES);
        Future<Map<String, StreamStateHandle>> waiting = threads.submit(patient::upload);
        time.waits.await();
        Future<Map<String, StreamStateHandle>> writing = threads.submit(writer::upload);
        StreamStateHandle a = waiting.get(20, TimeUnit.SECONDS).get("a");
        assertThat(writing.isDone()).isFalse();
        release.countDown();
        Map<String, StreamStateHandle> written = writing.get();
        assertThat(written).containsOnlyKeys("large1", "b", "large2");
        assertThat(written.get("b").maybeGetPath()).isEqualTo(a.maybeGetPath());
        assertThat(written.get("large1").maybeGetPath()).contains(new Path(storage.toUri() + "/large1"));
        assertThat(written.get("large2").maybeGetPath()).contains(new Path(storage.toUri() + "/large2"));
    }
}
