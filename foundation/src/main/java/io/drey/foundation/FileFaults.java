package io.drey.foundation;

import java.util.concurrent.atomic.AtomicLong;

/** Files that could not be read, or did not hold what was written into them: how often this process met one. */
public final class FileFaults {
    private static final AtomicLong FOUND = new AtomicLong();

    private FileFaults() {}

    public static void found() {
        FOUND.incrementAndGet();
    }

    public static long count() {
        return FOUND.get();
    }
}
