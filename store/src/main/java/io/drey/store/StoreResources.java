package io.drey.store;

import io.drey.files.Directory;
import io.drey.store.file.FileIds;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;

/**
 * Resources that a store uses and does not own.
 *
 * @param directory where its files lie; at open, the files of the images that it is restored from
 * @param memory the memory that it shares with the other stores of its slot
 * @param background runs its jobs
 * @param ids for the files that it writes
 */
public record StoreResources(Directory directory, SlotMemory memory, Background background, FileIds ids) {
    /** The same with random ids. */
    public StoreResources(Directory directory, SlotMemory memory, Background background) {
        this(directory, memory, background, FileIds.RANDOM);
    }
}
