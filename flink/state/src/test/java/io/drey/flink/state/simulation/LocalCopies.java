package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;

/** Where a subtask keeps copies of its checkpoints for local recovery, and what a machine's crash makes of them. */
final class LocalCopies implements LocalSnapshotDirectoryProvider {
    private static final long serialVersionUID = 1L;

    private final File base;

    LocalCopies(Path base) {
        this.base = base.toFile();
    }

    /** Loses, cuts or changes a file of a copy, as a machine's crash does; null if there is none to damage. */
    static Event damage(KeyedStateHandle copy, SplittableRandom random) throws IOException {
        Path directory = ((IncrementalLocalKeyedStateHandle) copy)
                .getDirectoryStateHandle()
                .getDirectory();
        List<Path> files;
        try (Stream<Path> found = Files.list(directory)) {
            files = found.sorted().filter(file -> file.toFile().length() > 0).toList();
        }
        if (files.isEmpty()) {
            return null;
        }
        Path file = files.get(random.nextInt(files.size()));
        switch (random.nextInt(3)) {
            case 0 -> {
                Files.delete(file);
                return Event.LOCAL_COPY_LOST;
            }
            case 1 -> {
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    bytes.setLength(random.nextLong(bytes.length()));
                }
                return Event.LOCAL_COPY_TORN;
            }
            default -> {
                try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
                    long bit = random.nextLong(8 * bytes.length());
                    bytes.seek(bit >>> 3);
                    int before = bytes.read();
                    bytes.seek(bit >>> 3);
                    bytes.write(before ^ 1 << (bit & 7));
                }
                return Event.LOCAL_COPY_FLIPPED;
            }
        }
    }

    @Override
    public File allocationBaseDirectory(long checkpointId) {
        return base;
    }

    @Override
    public File subtaskBaseDirectory(long checkpointId) {
        return base;
    }

    @Override
    public File subtaskSpecificCheckpointDirectory(long checkpointId) {
        return new File(base, "chk_" + checkpointId);
    }

    @Override
    public File selectAllocationBaseDirectory(int index) {
        return base;
    }

    @Override
    public File selectSubtaskBaseDirectory(int index) {
        return base;
    }

    @Override
    public int allocationBaseDirsCount() {
        return 1;
    }
}
