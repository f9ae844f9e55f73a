package io.drey.flink.state.list;

import io.drey.foundation.Memory;
import io.drey.store.entry.Expiry;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;

/**
 * When lists expire whose elements begin with their last access, in milliseconds, as Flink's serializer of values with
 * a time to live writes it: with their last element. Elements of one length are found by counting, others by letting
 * their serializer copy them to nowhere.
 *
 * <p>Under a list that was rewritten because its state got a time to live, or another format, lie older lists until
 * they are merged. Nobody sees them any more, but a merge may ask for their last access all the same: what is no list
 * of this kind, or has a time of the future, does not expire.
 */
public final class ListExpiry implements Expiry {
    /** A buffer that grew beyond this for one huge list is given up before the next. */
    private static final int BUFFER_BYTES_KEPT_MAX = 1 << 20;

    private static final int BUFFER_BYTES_MIN = 256;

    private final TypeSerializer<?> elementSerializer;
    private final long ttlMs;
    private final LongSupplier clock;

    /** Lists of elements of a serializer that writes the last access first. */
    public ListExpiry(TypeSerializer<?> elementSerializer, long ttlMs, LongSupplier clock) {
        this.elementSerializer = elementSerializer.duplicate();
        this.ttlMs = ttlMs;
        this.clock = clock;
    }

    @Override
    public long expiredUntil() {
        return clock.getAsLong() - ttlMs;
    }

    @Override
    public Reader reader() {
        long now = clock.getAsLong();
        int length = elementSerializer.getLength();
        if (length >= Long.BYTES) {
            return (address, bytes) -> latestOfEqual(address, bytes, length + 1, now);
        }
        TypeSerializer<?> own;
        synchronized (elementSerializer) {
            own = elementSerializer.duplicate();
        }
        return new Walk(own, now);
    }

    private static long latestOfEqual(long address, int bytes, int step, long now) {
        long latest = bytes > 0 && bytes % step == 0 ? NOTHING : NEVER;
        for (int at = 0; at < bytes && latest != NEVER; at += step) {
            latest = later(latest, Long.reverseBytes(Memory.getLong(address + at)), now);
        }
        return latest;
    }

    private static long later(long latest, long lastAccess, long now) {
        return lastAccess < 0 || lastAccess > now ? NEVER : Math.max(latest, lastAccess);
    }

    /** Walks the elements of lists. One thread. */
    private static final class Walk implements Reader {
        private final TypeSerializer<?> serializer;
        private final long now;
        private final DataInputDeserializer in = new DataInputDeserializer();
        private final NoOutput out = new NoOutput();
        private byte[] buffer = new byte[BUFFER_BYTES_MIN];

        Walk(TypeSerializer<?> serializer, long now) {
            this.serializer = serializer;
            this.now = now;
        }

        @Override
        public long lastAccess(long address, int length) {
            if (length > buffer.length || buffer.length > BUFFER_BYTES_KEPT_MAX) {
                buffer = new byte[Math.max(BUFFER_BYTES_MIN, length)];
            }
            Memory.copy(address, buffer, 0, length);
            in.setBuffer(buffer, 0, length);
            try {
                return walk(address, length);
            } catch (IOException | RuntimeException e) {
                // The bytes of another format, see the class: not to be dropped, and nothing that could be repaired.
                return NEVER;
            }
        }

        private long walk(long address, int length) throws IOException {
            long latest = length > 0 ? NOTHING : NEVER;
            while (in.available() > 0 && latest != NEVER) {
                int at = length - in.available();
                if (length - at < Long.BYTES) {
                    return NEVER;
                }
                latest = later(latest, Long.reverseBytes(Memory.getLong(address + at)), now);
                serializer.copy(in, out);
                if (in.readByte() != ListLayout.DELIMITER) {
                    return NEVER;
                }
            }
            return latest;
        }
    }
}
