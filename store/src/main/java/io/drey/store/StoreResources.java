package io.drey.store;

import io.drey.files.Directory;
import io.drey.store.file.FileIds;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;
import java.util.function.LongSupplier;

/**
 * Resources that a store uses and does not own.
 *
 * @param directory where its files lie; at open, the files of the images that it is restored from
 * @param memory the memory that it shares with the other stores of its slot
 * @param background runs its jobs
 * @param ids for the files that it writes
 * @param clock nanoseconds, by which it paces itself and counts what things cost
 */
public record StoreResources(
        Directory directory, SlotMemory memory, Background background, FileIds ids, LongSupplier clock) {
    /** The same with the clock of the system. */
    public StoreResources(Directory directory, SlotMemory memory, Background background, FileIds ids) {
        this(directory, memory, background, ids, System::nanoTime);
    }

    /** The same with random ids. */
    public StoreResources(Directory directory, SlotMemory memory, Background background) {
        this(directory, memory, background, FileIds.RANDOM);
    }
}
