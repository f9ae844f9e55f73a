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

    private static LocalCopies at(Path target) {
        return new LocalCopies(
                LocalRecoveryConfig.backupAndRecoveryEnabled(
                        new LocalSnapshotDirectoryProviderImpl(target.toFile(), new JobID(), new JobVertexID(), 0)),
                "backend");
    }

    private Path copy(LocalCopies copies, long checkpoint, String... names) throws IOException {
        List<FileInfo> files =
                Stream.of(names).map(name -> new FileInfo(name, name.length())).toList();
        return copies.make(checkpoint, directory, files).complete().getDirectory();
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

    @Test
    void onAnotherFileSystemOnlyNewFilesAreCopied() throws IOException {
        assumeThat(Files.isWritable(ELSEWHERE) && !Files.getFileStore(ELSEWHERE).equals(Files.getFileStore(base)))
                .isTrue();
        Path target = Files.createTempDirectory(ELSEWHERE, "drey-copies");
        try {
            LocalCopies copies = at(target);
            Path before = copy(copies, 1, "first", "second");
            file("third");
            Path after = copy(copies, 2, "second", "third");
            assertThat(inode(after.resolve("second"))).isEqualTo(inode(before.resolve("second")));
            assertThat(after.resolve("third")).hasContent("third");
            assertThat(after.resolve("first")).doesNotExist();

            FileUtils.deleteDirectory(after.toFile());
            assertThat(copy(copies, 3, "second", "third").resolve("second")).hasContent("second");
        } finally {
            FileUtils.deleteDirectory(target.toFile());
        }
    }
}
