package io.drey.shuffle.worker.device;

import java.util.concurrent.atomic.AtomicBoolean;

/** Something that a device's loop looks at when it was told to; telling it again before it looked changes nothing. */
abstract class DeviceWork {
    private final AtomicBoolean queued = new AtomicBoolean();

    /** The next one in the loop's stack of arrivals. */
    DeviceWork next;

    /** Whether the caller has to put it into the stack. */
    final boolean markQueued() {
        return !queued.get() && queued.compareAndSet(false, true);
    }

    final void unmarkQueued() {
        queued.set(false);
    }

    /** The loop looks at it. */
    abstract void arrive(DeviceLoop loop);
}
