package io.drey.bench.run;

import io.drey.bench.disk.RationedDisk;
import io.drey.bench.plan.CompareSettings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The disk of the cells' local state: as it is, below the work directory, or rationed. */
final class StateDisk implements Closeable {
    private static final String LOCAL = "local";

    /** Room for the state at its usual size, what is written meanwhile, and a second copy while it is restored. */
    private static final long BYTES_PER_MANAGED_BYTE = 64;

    /** State of the largest of the usual workloads, as a multiple of the memory. */
    private static final double USUAL_TIMES_MEMORY = 5;

    private static final long RATIONED_BYTES_MIN = 4L << 30;

    private final Path directory;
    private final RationedDisk rationed;

    private StateDisk(Path directory, RationedDisk rationed) {
        this.directory = directory;
        this.rationed = rationed;
    }

    /** Why the disk that is asked for cannot be had on this machine, in a sentence. */
    static Optional<String> whyNot(CompareSettings settings) throws IOException {
        if (settings.disk() == null) {
            return Optional.empty();
        }
        String why = RationedDisk.whyNot(settings.work(), bytes(settings));
        return why.isEmpty() ? Optional.empty() : Optional.of(why + ".");
    }

    /** The disk as it is. */
    static StateDisk plain(CompareSettings settings) {
        return new StateDisk(settings.work().resolve(LOCAL), null);
    }

    /** The disk that is asked for. */
    static StateDisk create(CompareSettings settings) throws IOException {
        Path image = settings.work().resolve("state" + RationedDisk.IMAGE_ENDING);
        RationedDisk.cleanUp(image);
        if (settings.disk() == null) {
            return plain(settings);
        }
        RationedDisk disk =
                RationedDisk.create(image, settings.work().resolve("disk"), bytes(settings), settings.disk());
        return new StateDisk(disk.directory().resolve(LOCAL), disk);
    }

    private static long bytes(CompareSettings settings) {
        double largest = settings.workloads().stream()
                .mapToDouble(workload -> workload.size().timesMemory())
                .max()
                .orElse(USUAL_TIMES_MEMORY);
        double state = settings.memory().managedBytes() * Math.max(1, largest / USUAL_TIMES_MEMORY);
        return Math.max(RATIONED_BYTES_MIN, Math.round(BYTES_PER_MANAGED_BYTE * state));
    }

    /** The directory for all cells. */
    Path directory() {
        return directory;
    }

    /** The block device that nobody else uses, such as {@code loop0}, or null. */
    String device() {
        return rationed == null ? null : rationed.device();
    }

    /** No limits from now on: the state is being filled. */
    void free() throws IOException {
        if (rationed != null) {
            rationed.unlimit();
        }
    }

    /** The limits hold from now on, with full credit: the state is being restored and used. */
    void ration() throws IOException {
        if (rationed != null) {
            rationed.limit();
        }
    }

    @Override
    public void close() throws IOException {
        if (rationed != null) {
            rationed.close();
        }
    }
}
