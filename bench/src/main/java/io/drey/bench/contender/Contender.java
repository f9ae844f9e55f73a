package io.drey.bench.contender;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A state backend with its configuration, under a name.
 *
 * @param name on the command line, in paths and in the report
 * @param title for people
 * @param options in Flink's configuration
 * @param jars paths of jars that it needs beside Drey's class path
 * @param home where it keeps its state
 * @param directIo what to set beside {@code options} so that it reads and writes its disk past the page cache; empty if
 *     it cannot
 */
public record Contender(
        String name,
        String title,
        Map<String, String> options,
        List<String> jars,
        Home home,
        Map<String, String> directIo) {

    /** Where state lives. */
    public enum Home {
        /** On the Java heap, which has to be large enough for it. */
        HEAP,
        /** In files, with a part of it in managed memory. */
        DISK,
        /** Nowhere: the job runs without. */
        NONE
    }

    public Contender {
        options = Map.copyOf(options);
        jars = List.copyOf(jars);
        directIo = Map.copyOf(directIo);
    }

    /** Whether its heap has to hold the state. */
    public boolean heapState() {
        return home == Home.HEAP;
    }

    /** Whether it keeps state at all; if not, nothing has to be filled and restored. */
    public boolean keepsState() {
        return home != Home.NONE;
    }

    /** Why it cannot run where the disk is rationed, in a sentence; empty if it can. */
    public Optional<String> whyNotOnRationedDisk() {
        return switch (home) {
            case HEAP -> Optional.of(name + " keeps its state on the heap: a slower disk would not be noticed.");
            case NONE -> Optional.of(name + " keeps no state: a slower disk would not be noticed.");
            case DISK ->
                directIo.isEmpty()
                        ? Optional.of(name
                                + " cannot be told to read its files past the page cache, which would hide the disk.")
                        : Optional.empty();
        };
    }

    /**
     * The options for a rationed disk, where only what goes past the page cache counts.
     *
     * @throws IllegalStateException if it cannot run there
     */
    public Map<String, String> optionsOnRationedDisk() {
        whyNotOnRationedDisk().ifPresent(why -> {
            throw new IllegalStateException(why);
        });
        Map<String, String> all = new HashMap<>(options);
        directIo.forEach(all::putIfAbsent);
        return all;
    }
}
