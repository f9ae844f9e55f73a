package io.drey.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images in a work directory, without a disk on them: it needs no rights. */
class LeftImageTest {
    @TempDir
    Path directory;

    @Test
    void onlyTheImageOfTheRunIsDeletedAndOtherFoldersAreNotLookedInto() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "rationed disks need Linux");
        Path image = Files.createFile(directory.resolve("state" + RationedDisk.IMAGE_ENDING));
        Path other = Files.createFile(directory.resolve("other" + RationedDisk.IMAGE_ENDING));
        Path deeper = Files.createFile(
                Files.createDirectory(directory.resolve("of-the-user")).resolve("state" + RationedDisk.IMAGE_ENDING));
        RationedDisk.cleanUp(image);
        RationedDisk.cleanUp(image);
        assertThat(image).doesNotExist();
        assertThat(other).exists();
        assertThat(deeper).exists();
    }
}
