package io.drey.flink.state.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** All checkpoints of all jobs that have completed, of which those are kept whose meta data is still there. */
final class Retained {
    private final SimulatedStorage storage;
    private final Map<String, Set<String>> listed = new HashMap<>();

    Retained(SimulatedStorage storage) {
        this.storage = storage;
    }

    void completed(String metadata, Set<String> paths) {
        listed.put(metadata, paths);
    }

    /** Whether a checkpoint that is kept lists a file. */
    boolean list(String path) {
        return listed.entrySet().stream()
                .anyMatch(checkpoint -> checkpoint.getValue().contains(path) && storage.has(checkpoint.getKey()));
    }
}
