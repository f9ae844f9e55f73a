package io.drey.shuffle.worker.memory;

import java.util.concurrent.atomic.AtomicBoolean;

/** A pool whose slabs cannot be made while a test says so. */
public final class ScarceSlabs {
    private ScarceSlabs() {}

    public static SlabPool pool(long bytes, AtomicBoolean isRefused) {
        return new SlabPool(bytes, () -> {
            if (isRefused.get()) {
                throw new InternalError("no memory");
            }
            return new Slab();
        });
    }
}
