package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.SimulatedStorage.Process;
import java.util.SplittableRandom;
import org.apache.flink.core.fs.Path;

/** A file of the simulated storage. */
final class StoredFile {
    final Path path;
    final long number;
    final SplittableRandom chance;
    final Process writer;

    /** Whether it was uploaded ahead of a checkpoint. */
    final boolean ahead;

    byte[] bytes = new byte[64];
    int length;
    long modifiedMs;

    StoredFile(Path path, long seed, long number, Process writer, boolean ahead) {
        this.path = path;
        this.number = number;
        this.ahead = ahead;
        this.writer = writer;
        chance = new SplittableRandom(seed + number);
    }
}
