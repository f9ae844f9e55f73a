package io.drey.flink.state.memory;

import io.drey.flink.state.options.DreyOptions;
import io.drey.flink.state.options.DreySettings;
import io.drey.foundation.Arena;
import io.drey.store.StoreSettings;
import io.drey.store.memory.LeastMemory;
import io.drey.store.memory.SlotMemory;
import java.io.IOException;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.OpaqueMemoryResource;
import org.apache.flink.util.function.LongFunctionWithException;

/**
 * A backend's lease of the memory that all stores of its slot share: Flink's managed memory, or a fixed size beside it.
 * The memory is freed with the last lease of the slot. The type id carries the page size asked for, so that leases that
 * ask for different ones never meet in one arena.
 */
final class MemoryLease implements AutoCloseable {
    private static final int FITTING_PAGES = 1024;
    private static final int FITTING_PAGE_BYTES_MAX = 64 << 10;
    private static final int FITTING_PAGE_BYTES_MIN = 4 << 10;

    /** Where more memory takes larger pages: half a terabyte. */
    private static final int LARGE_PAGE_BYTES_MAX = 1 << 20;

    private static final String ADVICE = ": give the task manager more managed memory"
            + " (taskmanager.memory.managed.size), or another size by " + DreyOptions.FIXED_MEMORY_PER_SLOT.key();

    /** The system refused what the configuration promises. */
    private static final String ADVICE_FOR_LESS = ": give the task manager less managed memory"
            + " (taskmanager.memory.managed.size), or its machine or container more";

    private final OpaqueMemoryResource<SlotMemory> resource;
    private boolean closed;

    private MemoryLease(OpaqueMemoryResource<SlotMemory> resource) {
        this.resource = resource;
    }

    /** Takes a lease, the first one of a slot allocates. */
    public static MemoryLease acquire(MemoryManager memory, double managedFraction, DreySettings settings)
            throws IOException {
        LongFunctionWithException<SlotMemory, Exception> allocator = bytes -> allocate(bytes, settings.pageBytes());
        try {
            return new MemoryLease(
                    settings.fixedMemoryBytes() > 0
                            ? memory.getExternalSharedMemoryResource(
                                    "state-drey-fixed-" + settings.pageBytes(), allocator, settings.fixedMemoryBytes())
                            : memory.getSharedMemoryResourceForManagedMemory(
                                    "state-drey-managed-" + settings.pageBytes(), allocator, managedFraction));
        } catch (Exception | OutOfMemoryError e) {
            throw new IOException("the memory of the slot could not be acquired for Drey's stores: " + reason(e), e);
        }
    }

    /** The innermost message, with what to do: Flink puts what the allocation says into an exception of its own. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        boolean saysWhatToDo = message.contains(TaskManagerOptions.MANAGED_MEMORY_CONSUMER_WEIGHTS.key());
        return saysWhatToDo ? message : message + (cause instanceof OutOfMemoryError ? ADVICE_FOR_LESS : ADVICE);
    }

    private static SlotMemory allocate(long bytes, int wantedPageBytes) {
        int pageBytes = wantedPageBytes == 0 ? fittingPageBytes(bytes) : wantedPageBytes;
        int pagesMin = LeastMemory.pages(pageBytes, StoreSettings.BLOCK_BYTES);
        if (bytes / pageBytes < pagesMin) {
            throw new IllegalArgumentException("expected at least " + ((pagesMin * (long) pageBytes) >> 10)
                    + " KB of memory for Drey's stores of a slot, " + pagesMin + " pages, found " + (bytes >> 10)
                    + " KB");
        }
        return new SlotMemory(bytes, pageBytes);
    }

    /**
     * The largest page size, within bounds, that gives a slot of several operators pages enough to share; a larger one
     * for more memory than such pages can make up.
     */
    static int fittingPageBytes(long bytes) {
        int pageBytes = FITTING_PAGE_BYTES_MAX;
        while (bytes > Arena.bytesMax(pageBytes) && pageBytes < LARGE_PAGE_BYTES_MAX) {
            pageBytes *= 2;
        }
        while (pageBytes > FITTING_PAGE_BYTES_MIN && bytes / pageBytes < FITTING_PAGES) {
            pageBytes /= 2;
        }
        return pageBytes;
    }

    public SlotMemory memory() {
        return resource.getResourceHandle();
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            resource.close();
        } catch (Exception e) {
            throw new IllegalStateException("the memory of the slot could not be given back: " + e.getMessage(), e);
        }
    }
}
