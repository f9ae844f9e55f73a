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
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FSDataOutputStreamWrapper;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.checkpoint.SnapshotType.SharingFilesStrategy;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager.SubtaskKey;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManagerBuilder;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingType;
import org.apache.flink.runtime.checkpoint.filemerging.PhysicalFilePool;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FsMergingCheckpointStorageLocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads into files that Flink merges, one after another where its pool blocks, into a storage that is slow. */
@Timeout(60)
class MergedFilesTest {
    private static final int FILES = 3;
    private static final int FILE_BYTES = 512 << 10;

    /** Four parts of a file take longer than any file may stand still for. */
    private static final int PART_MS = 150;

    @TempDir
    java.nio.file.Path storage;

    private final JobID job = new JobID();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final SharedFiles sharedFiles = SharedFiles.restored(Map.of(), Runnable::run);
    private final DiskSet directory = new DiskSet(List.of(new MemoryDirectory()), 0, System::nanoTime);
    private final Packs.Task task = new Packs.Task(job, ExecutionAttemptID.randomId());
    private final FileNaming naming = new FileNaming(UUID.randomUUID(), task, 0);
    private final FileUploads uploads = new FileUploads(
            directory,
            threads,
            2,
            new Packs(),
            task,
            new IoCounts(),
            sharedFiles.trash(),
            new UploadTimes(),
            Time.SYSTEM);

    @AfterEach
    void end() {
        threads.shutdownNow();
        sharedFiles.close();
    }

    /** The local file system, of which each write takes a while. */
    private static final class SlowFiles extends LocalFileSystem {
        @Override
        public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
            return new FSDataOutputStreamWrapper(super.create(path, mode)) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    try {
                        Thread.sleep(PART_MS);
                    } catch (InterruptedException e) {
                        throw (IOException) new InterruptedIOException("a slow write was interrupted").initCause(e);
                    }
                    super.write(bytes, offset, length);
                }
            };
        }
    }

    private FsMergingCheckpointStorageLocation merging(PhysicalFilePool.Type pool) {
        Path own = new Path(storage.toUri());
        Path shared = new Path(own, "shared");
        Path taskOwned = new Path(own, "taskowned");
        SlowFiles files = new SlowFiles();
        SubtaskKey subtask = new SubtaskKey(job.toHexString(), "vertex", 0, 1);
        FileMergingSnapshotManager manager = new FileMergingSnapshotManagerBuilder(
                        job, ResourceID.generate(), FileMergingType.MERGE_ACROSS_CHECKPOINT)
                .setFilePoolType(pool)
                .setMaxFileSize(1 << 30)
                .build();
        manager.initFileSystem(files, own, shared, taskOwned, 4096);
        manager.registerSubtaskForSharedStates(subtask);
        return new FsMergingCheckpointStorageLocation(
                subtask,
                files,
                new Path(own, "chk-1"),
                shared,
                taskOwned,
                CheckpointStorageLocationReference.getDefault(),
                0,
                4096,
                manager,
                1);
    }

    private List<FileInfo> files() throws IOException {
        List<FileInfo> files = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            try (WritableFile file = directory.create("f" + i)) {
                file.write(ByteBuffer.allocate(FILE_BYTES));
            }
            files.add(new FileInfo("f" + i, FILE_BYTES));
        }
        return files;
    }

    @Test
    void aFileThatWaitsForTheOneBeforeItIsNotBegunOnceMore() throws Exception {
        FsMergingCheckpointStorageLocation streams = merging(PhysicalFilePool.Type.BLOCKING);
        List<FileInfo> files = files();
        Listing<StreamStateHandle> listing = sharedFiles.enter(1, SharingFilesStrategy.FORWARD_BACKWARD, streams);
        listing.decide(files.stream().map(FileInfo::name).toList());
        Map<String, StreamStateHandle> stored = uploads.upload(
                files,
                listing,
                naming.streams(streams, CheckpointedStateScope.SHARED, 1, sharedFiles.trash()),
                null,
                new CloseableRegistry());
        assertThat(stored).hasSize(FILES);
        assertThat(uploads.second().begun()).isZero();
    }
}
