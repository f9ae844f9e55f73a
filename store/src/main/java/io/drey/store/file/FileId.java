package io.drey.store.file;

import io.drey.foundation.Hash;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The random name that a file carries inside; it seeds its checksums, so that blocks of two files never pass as each
 * other's.
 */
public record FileId(long high, long low) {
    public static FileId random() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new FileId(random.nextLong(), random.nextLong());
    }

    /** What stands for the file in the seeds of its checksums. */
    public long seed() {
        return Hash.combine(high, low);
    }
}
