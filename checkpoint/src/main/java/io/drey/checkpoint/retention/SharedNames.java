package io.drey.checkpoint.retention;

import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Gives the files of one store their names in the checkpoint storage. Thread safe. */
public final class SharedNames {
    private final String store;
    private final AtomicLong last = new AtomicLong();

    /** Names for a life of a subtask, told from all others by a random id. */
    public SharedNames(UUID life) {
        // Of the 128 bits 6 are fixed: no 64 of the result are.
        long id = life.getMostSignificantBits() ^ Long.rotateLeft(life.getLeastSignificantBits(), 32);
        this.store = HexFormat.of().toHexDigits(id);
    }

    /** A new name for a file that is about to be written, see {@link SharedName#first}. */
    public String next(long first) {
        return new SharedName(first, last.incrementAndGet(), store).text();
    }
}
