package io.drey.shuffle.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.memory.SlabPool;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The space of all directories of a worker. */
final class StorageSpaceTest {
    @TempDir
    Path directory;

    private Storage open(Storage.Disks disks) throws IOException {
        List<Path> paths = List.of(directory.resolve("first"), directory.resolve("second"));
        return Storage.open(paths, disks, new SlabPool(1 << 20), 0);
    }

    @Test
    void disksOfTheirOwnAddUp() throws Exception {
        long room = 1 << 20;
        try (Storage storage = open(path -> new FailingDisk(path, room))) {
            assertThat(storage.freeBytes()).isBetween(room + 1, 2 * room);
        }
    }

    @Test
    void directoriesOfOneFileSystemHaveItsSpaceOnce() throws Exception {
        try (Storage storage = open(LocalDisk::new)) {
            FileStore shared = Files.getFileStore(directory);
            assertThat(storage.totalBytes()).isEqualTo(shared.getTotalSpace());
            // Others use the file system meanwhile.
            long usable = shared.getUsableSpace();
            assertThat(storage.freeBytes()).isBetween(usable / 2, usable + usable / 2);
        }
    }
}
