package io.drey.bench.run;

import io.drey.bench.disk.RationedDisk;
import io.drey.bench.plan.CompareSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Makes the disk that a comparison asks for. */
final class StateDisks {
    private static final String LOCAL = "local";

    /** Room for the state at its usual size, what is written meanwhile, and a second copy while it is restored. */
    private static final long BYTES_PER_MANAGED_BYTE = 64;

    private static final long RATIONED_BYTES_MIN = 4L << 30;

    private StateDisks() {}

    /** Why the disk that is asked for cannot be had on this machine, in a sentence. */
    static Optional<String> whyNot(CompareSettings settings) throws IOException {
        if (settings.disk() == null) {
            return Optional.empty();
        }
        String why = RationedDisk.whyNot(settings.work(), bytes(settings));
        return why.isEmpty() ? Optional.empty() : Optional.of(why + ".");
    }

    /** For a comparison in which nothing runs. */
    static StateDisk none(CompareSettings settings) {
        return StateDisk.plain(settings.work().resolve(LOCAL));
    }

    static StateDisk create(CompareSettings settings) throws IOException {
        RationedDisk.cleanUp(settings.work());
        return settings.disk() == null
                ? none(settings)
                : new Rationed(RationedDisk.create(
                        settings.work().resolve("state" + RationedDisk.IMAGE_ENDING),
                        settings.work().resolve("disk"),
                        bytes(settings),
                        settings.disk()));
    }

    private static long bytes(CompareSettings settings) {
        double state = settings.memory().managedBytes() * Math.max(1, settings.scale());
        return Math.max(RATIONED_BYTES_MIN, Math.round(BYTES_PER_MANAGED_BYTE * state));
    }

    private record Rationed(RationedDisk disk) implements StateDisk {
        @Override
        public Path directory() {
            return disk.directory().resolve(LOCAL);
        }

        @Override
        public String device() {
            return disk.device();
        }

        @Override
        public void free() throws IOException {
            disk.unlimit();
        }

        @Override
        public void ration() throws IOException {
            disk.limit();
        }

        @Override
        public void close() throws IOException {
            disk.close();
        }
    }
}
