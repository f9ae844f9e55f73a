package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drey.flink.state.task.InstanceDirectory;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProviderImpl;
import org.apache.flink.util.FileUtils;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local copies of checkpoints take little room and time, on the file system of local files and on another one. */
class LocalCopiesTest {
    /** A file system in memory: another one than that of temporary directories, on the systems that have it. */
    private static final Path ELSEWHERE = Path.of("/dev/shm");

    @TempDir
    private Path base;

    private InstanceDirectory directory;
    private long nanos;

    /** That each look at the clock takes. */
    private long nanosEach;

    @BeforeEach
    void write() throws IOException {
        directory = InstanceDirectory.create(
                List.of(base.resolve("local").toFile()),
                true,
                new JobID(),
                "operator",
                false,
                InstanceDirectory.Disks.REAL);
        file("first");
        file("second");
    }

    private void file(String name) throws IOException {
        Files.writeString(directory.parts().get(0).path(name), name);
    }

    private LocalCopies at(Path target) {
        return new LocalCopies(
                LocalRecoveryConfig.backupAndRecoveryEnabled(
                        new LocalSnapshotDirectoryProviderImpl(target.toFile(), new JobID(), new JobVertexID(), 0)),
                "backend",
                () -> nanos += nanosEach);
    }

    private Path copy(LocalCopies copies, long checkpoint, String... names) throws IOException {
        return make(copies, checkpoint, names).complete().getDirectory();
    }

    private LocalCopy make(LocalCopies copies, long checkpoint, String... names) {
        List<FileInfo> files =
                Stream.of(names).map(name -> new FileInfo(name, name.length())).toList();
        return copies.make(checkpoint, directory, files);
    }

    private static Object inode(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    @Test
    void filesAreLinkedOnTheirOwnFileSystem() throws IOException {
        Path copy = copy(at(base.resolve("copies")), 1, "first", "second");
        assertThat(inode(copy.resolve("first"))).isEqualTo(inode(directory.path("first")));
        assertThat(inode(copy.resolve("second"))).isEqualTo(inode(directory.path("second")));
    }

    private void elsewhere(ThrowingConsumer<Path> test) throws IOException {
        assumeThat(Files.isWritable(ELSEWHERE) && !Files.getFileStore(ELSEWHERE).equals(Files.getFileStore(base)))
                .isTrue();
        Path target = Files.createTempDirectory(ELSEWHERE, "drey-copies");
        try {
            test.accept(target);
        } finally {
            FileUtils.deleteDirectory(target.toFile());
        }
    }

    @Test
    void onAnotherFileSystemOnlyNewFilesAreCopied() throws IOException {
        elsewhere(target -> {
            LocalCopies copies = at(target);
            Path before = copy(copies, 1, "first", "second");
            file("third");
            Path after = copy(copies, 2, "second", "third");
            assertThat(inode(after.resolve("second"))).isEqualTo(inode(before.resolve("second")));
            assertThat(after.resolve("third")).hasContent("third");
            assertThat(after.resolve("first")).doesNotExist();

            FileUtils.deleteDirectory(before.toFile());
            FileUtils.deleteDirectory(after.toFile());
            assertThat(copy(copies, 3, "second", "third").resolve("second")).hasContent("second");
        });
    }

    @Test
    void afterAnAbortedCheckpointNothingIsCopiedAgain() throws IOException {
        elsewhere(target -> {
            LocalCopies copies = at(target);
            Path before = copy(copies, 1, "first", "second");
            Object first = inode(before.resolve("first"));
            FileUtils.deleteDirectory(copy(copies, 2, "first", "second").toFile());
            assertThat(inode(copy(copies, 3, "first", "second").resolve("first")))
                    .isEqualTo(first);
        });
    }

    @Test
    void aCheckpointWaitsForFilesForSomeTimeOnlyAndTheNextGoesOnWithTheRest() throws IOException {
        elsewhere(target -> {
            LocalCopies copies = at(target);
            nanosEach = LocalCopies.COPYING_NANOS_MAX * 2 / 3;
            file("third");
            assertThat(make(copies, 1, "first", "second", "third")).isNull();
            List<Path> copied = allFiles(target);
            assertThat(copied).hasSize(1);
            Object first = inode(copied.get(0));
            assertThat(make(copies, 2, "first", "second", "third")).isNull();
            assertThat(allFiles(target)).as("of the second only").hasSize(2);
            Path whole = copy(copies, 3, "first", "second", "third");
            assertThat(allFiles(target)).hasSize(3);
            assertThat(inode(whole.resolve("first"))).isEqualTo(first);
            assertThat(whole.resolve("third")).hasContent("third");
        });
    }

    /** Flink knows nothing of it, and would leave it until the slot is given to somebody else. */
    @Test
    void aCopyThatLacksFilesGoesWithItsBackend() throws IOException {
        elsewhere(target -> {
            LocalCopies copies = at(target);
            nanosEach = LocalCopies.COPYING_NANOS_MAX * 2 / 3;
            assertThat(make(copies, 1, "first", "second")).isNull();
            assertThat(allFiles(target)).isNotEmpty();
            copies.close();
            assertThat(allFiles(target)).isEmpty();
            assertThat(make(copies, 2, "first", "second")).isNull();
            assertThat(allFiles(target)).isEmpty();
        });
    }

    private static List<Path> allFiles(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
