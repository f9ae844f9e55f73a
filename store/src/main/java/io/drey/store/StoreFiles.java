package io.drey.store;

import io.drey.files.Directory;
import io.drey.files.WritableFile;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunWriter;
import io.drey.store.version.RunPins;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** What the owner and the jobs of a store share about its files. Thread safe. */
final class StoreFiles {
    private final Directory directory;
    private final RunMemory memory;
    private final RunOptions options;
    private final RunPins pins;
    private final Counters counters;
    private final String prefix = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    private final AtomicLong sequence = new AtomicLong();
    private volatile boolean closing;

    StoreFiles(Directory directory, RunMemory memory, RunOptions options, Counters counters) {
        this.directory = directory;
        this.memory = memory;
        this.options = options;
        this.pins = new RunPins(directory);
        this.counters = counters;
    }

    Directory directory() {
        return directory;
    }

    RunMemory memory() {
        return memory;
    }

    RunOptions options() {
        return options;
    }

    RunPins pins() {
        return pins;
    }

    Counters counters() {
        return counters;
    }

    /** A name that no file of any store has. */
    String newName() {
        return prefix + "-" + sequence.incrementAndGet() + ".run";
    }

    Run open(String name) throws IOException {
        return Run.open(directory.open(name), memory);
    }

    /** Removes what an unfinished job wrote; the cause of its end is on its way already and is not hidden. */
    void discard(String name, RunWriter writer, WritableFile file) throws IOException {
        try {
            if (writer != null) {
                writer.abort();
            } else {
                file.close();
            }
        } finally {
            directory.delete(name);
        }
    }

    /** Jobs end early from now on. */
    void closing() {
        closing = true;
    }

    boolean isClosing() {
        return closing;
    }
}
