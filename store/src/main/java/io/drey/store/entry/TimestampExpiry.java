package io.drey.store.entry;

import io.drey.foundation.Memory;
import java.util.function.LongSupplier;

/**
 * Values that carry their last access as 8 bytes, big endian, at a fixed position; shorter ones do not expire.
 *
 * @param position where the time stands in a value
 * @param ttl time from the last access to the end, in the units of the clock
 * @param clock the time of now; any thread
 */
public record TimestampExpiry(int position, long ttl, LongSupplier clock) implements Expiry {
    @Override
    public long expiredUntil() {
        return clock.getAsLong() - ttl;
    }

    @Override
    public Reader reader() {
        return new AtPosition(position);
    }

    private record AtPosition(int position) implements Reader {
        @Override
        public long lastAccess(long address, int length) {
            return length < position + Long.BYTES ? NEVER : Long.reverseBytes(Memory.getLong(address + position));
        }

        @Override
        public long lastAccessOfHead(long address, int length) {
            return lastAccess(address, length);
        }
    }
}
