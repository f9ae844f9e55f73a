package io.drey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary files go, checkpoints stay. */
class WorkDirectoryTest {
    @TempDir
    private Path root;

    @Test
    void nothingIsLeftOfARunWithoutCheckpoints() throws Exception {
        Path work = root.resolve("a b/.drey");
        try (WorkDirectory directory = WorkDirectory.make(work, null)) {
            directory.job("job");
            Files.createDirectories(directory.checkpoints().resolve("job/shared"));
            Files.writeString(
                    Files.createDirectories(directory.temporary().resolve("x/y"))
                            .resolve("z"),
                    "z");
        }
        assertThat(work).doesNotExist();
    }

    @Test
    void aRetainedCheckpointAndALogStay() throws Exception {
        Path checkpoints = root.resolve("checkpoints");
        Path kept = checkpoints.resolve("job/chk-1/_metadata");
        try (WorkDirectory directory = WorkDirectory.make(root.resolve("work"), checkpoints)) {
            directory.job("job");
            Files.createDirectories(kept.getParent());
            Files.createDirectories(checkpoints.resolve("job/taskowned"));
            Files.writeString(kept, "kept");
            Files.writeString(directory.log(), "log");
        }
        assertThat(kept).hasContent("kept");
        assertThat(checkpoints.resolve("job/taskowned")).doesNotExist();
        assertThat(root.resolve("work/demo.log")).hasContent("log");
        assertThat(root.resolve("work")).isDirectoryNotContaining("glob:**run-*");
    }

    @Test
    void emptyFoldersOfOthersStay() throws Exception {
        Path work = Files.createDirectories(root.resolve("work"));
        Path checkpoints = root.resolve("checkpoints");
        Path ofAnother = Files.createDirectories(checkpoints.resolve("another/shared"));
        try (WorkDirectory directory = WorkDirectory.make(work, checkpoints)) {
            directory.job("job");
            Files.createDirectories(checkpoints.resolve("job/shared"));
        }
        assertThat(ofAnother).isDirectory();
        assertThat(checkpoints.resolve("job")).doesNotExist();
        assertThat(work).isEmptyDirectory();

        Path empty = Files.createDirectories(root.resolve("empty"));
        WorkDirectory.make(work, empty).close();
        assertThat(empty).isEmptyDirectory();
    }

    @Test
    void whatAKilledRunLeftIsDeletedAndARunThatGoesOnIsLeftAlone() throws Exception {
        Path killed = Files.createDirectories(root.resolve("drey-run-1"));
        Files.writeString(killed.resolve("state"), "many gigabytes");
        Files.createFile(root.resolve("drey-run-1.lock"));
        Path ofTheUser = Files.createDirectories(root.resolve("drey-run-2"));
        try (WorkDirectory first = WorkDirectory.make(root, null)) {
            assertThat(killed).doesNotExist();
            assertThat(ofTheUser).isDirectory();
            try (WorkDirectory second = WorkDirectory.make(root, null)) {
                assertThat(first.local()).isDirectory().isNotEqualTo(second.local());
                assertThat(second.local()).isDirectory();
            }
            assertThat(first.local()).isDirectory();
        }
    }
}
