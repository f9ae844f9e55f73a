package io.drey.flink.state.memory;

import io.drey.flink.state.options.DreySettings;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.TaskThread;
import io.drey.foundation.DreyException;
import io.drey.store.Store;
import io.drey.store.StoreImage;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.memory.SlotMemory;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store together with all that it stands on: its share of the slot's memory, the background threads, its directory.
 * Closing gives back everything, once, whoever asks first. A store of the same slot that opens later has this one
 * shrink, in this one's own thread.
 */
public final class StoreLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLease.class);

    private final TaskThread task;
    private final DreySettings settings;
    private final InstanceDirectory directory;
    private final InstanceDirectory.Lease files;
    private final Surroundings surroundings;
    private final Surroundings.Lease background;
    private final MemoryLease memory;
    private volatile Store store;
    private boolean closed;

    private StoreLease(
            TaskThread task,
            DreySettings settings,
            InstanceDirectory directory,
            InstanceDirectory.Lease files,
            Surroundings surroundings,
            Surroundings.Lease background,
            MemoryLease memory) {
        this.task = task;
        this.settings = settings;
        this.directory = directory;
        this.files = files;
        this.surroundings = surroundings;
        this.background = background;
        this.memory = memory;
    }

    /** Acquires what a store needs; {@link #open} opens it. */
    public static StoreLease acquire(
            TaskThread task,
            DreySettings settings,
            InstanceDirectory directory,
            Surroundings surroundings,
            MemoryManager memoryManager,
            double managedFraction)
            throws IOException {
        InstanceDirectory.Lease files = directory.use();
        Surroundings.Lease background = null;
        boolean done = false;
        try {
            background = surroundings.background().apply(settings.backgroundThreads());
            MemoryLease memory = MemoryLease.acquire(memoryManager, managedFraction, settings);
            done = true;
            return new StoreLease(task, settings, directory, files, surroundings, background, memory);
        } finally {
            if (!done) {
                giveBack(null, background, files);
            }
        }
    }

    /** Opens the store, once, empty or on what parents left in the directory. */
    public Store open(KeyGroupRange keyGroups, List<StoreImage> parents) {
        StoreSettings storeSettings = new StoreSettings(
                keyGroups.getStartKeyGroup(),
                keyGroups.getEndKeyGroup(),
                settings.blockBytes(),
                StoreSettings.PAGE_BYTES,
                settings.runBytesMax(),
                settings.ioBytes(),
                settings.youngRunsMax(),
                surroundings.thresholds(),
                surroundings.placement());
        StoreResources resources = new StoreResources(
                directory.files(), memory.memory(), background.background(), surroundings.ids(), surroundings.clock());
        store = Store.open(storeSettings, resources, parents, this::requestShrink);
        return store;
    }

    /** The memory of the slot, which other stores share. */
    public SlotMemory memory() {
        return memory.memory();
    }

    /** Nanoseconds, as the store counts them. */
    public LongSupplier clock() {
        return surroundings.clock();
    }

    public InstanceDirectory directory() {
        return directory;
    }

    private void requestShrink() {
        if (store != null) {
            task.request(this::shrink, "shrink the store to its share of the slot's memory");
        }
    }

    private synchronized void shrink() {
        if (!closed) {
            store.shrink();
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (store != null) {
                closeStore();
            }
        } finally {
            giveBack(memory, background, files);
        }
    }

    /**
     * What a disk does not let go, as one that is read-only now, goes with the directory, or later. Flink would end the
     * process, with the tasks of all jobs in it, if one that ends threw.
     */
    private void closeStore() {
        try {
            store.close();
        } catch (DreyException e) {
            LOG.warn("A store that ends could not delete all of its local files: {}", e.getMessage());
            LOG.debug("They go with their directory", e);
        }
    }

    /** Gives back what there is, all of it. */
    private static void giveBack(MemoryLease memory, Surroundings.Lease background, InstanceDirectory.Lease files) {
        try (files;
                background;
                memory) {
            // The last one first; none stays because another fails.
        }
    }
}
