package io.drey.flink.state.list;

import io.drey.foundation.Memory;
import io.drey.store.entry.Expiry;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;

/**
 * When lists expire whose elements begin with their last access, in milliseconds, as Flink's serializer of values with
 * a time to live writes it: with their last element. Elements of one length are found by counting, others by letting
 * their serializer copy them to nowhere, under the class loader of the job, which background threads do not have.
 *
 * <p>Under a list that was rewritten because its state got a time to live, or another format, lie older lists until
 * they are compacted. Nobody sees them any more, but a compaction may ask for their last access all the same: what is
 * no list of this kind does not expire, and is reported; nor does one that has a time of the future.
 */
final class ListExpiry implements Expiry {
    /** A buffer that grew beyond this for one huge list is given up before the next. */
    private static final int BUFFER_BYTES_KEPT_MAX = 1 << 20;

    private static final int BUFFER_BYTES_MIN = 256;

    private final TypeSerializer<?> elementSerializer;
    private final long ttlMs;
    private final LongSupplier clock;
    private final ClassLoader classes;
    private final Consumer<Throwable> unreadable;

    /**
     * Lists of elements of a serializer that writes the last access first.
     *
     * @param classes where the serializer finds classes of the job
     * @param unreadable told of each list that cannot be read, by any thread
     */
    ListExpiry(
            TypeSerializer<?> elementSerializer,
            long ttlMs,
            LongSupplier clock,
            ClassLoader classes,
            Consumer<Throwable> unreadable) {
        this.elementSerializer = elementSerializer.duplicate();
        this.ttlMs = ttlMs;
        this.clock = clock;
        this.classes = classes;
        this.unreadable = unreadable;
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
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            synchronized (elementSerializer) {
                own = elementSerializer.duplicate();
            }
        } finally {
            thread.setContextClassLoader(before);
        }
        return new Walk(own, now);
    }

    private long latestOfEqual(long address, int bytes, int step, long now) {
        if (bytes == 0 || bytes % step != 0) {
            unreadable.accept(new IOException(
                    "expected a list of elements of " + step + " bytes each, found one of " + bytes + " bytes"));
            return NEVER;
        }
        long latest = NOTHING;
        for (int at = 0; at < bytes && latest != NEVER; at += step) {
            byte delimiter = Memory.getByte(address + at + step - 1);
            if (delimiter != ListLayout.DELIMITER) {
                unreadable.accept(ListLayout.noDelimiter(delimiter, elementSerializer));
                return NEVER;
            }
            latest = later(latest, Long.reverseBytes(Memory.getLong(address + at)), now);
        }
        return latest;
    }

    private static long later(long latest, long lastAccess, long now) {
        return lastAccess < 0 || lastAccess > now ? NEVER : Math.max(latest, lastAccess);
    }

    /** Walks the elements of lists. One thread. */
    private final class Walk implements Reader {
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
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(classes);
            try {
                return walk(address, length);
            } catch (IOException | RuntimeException | LinkageError e) {
                // Not to be dropped, and nothing that could be repaired here.
                unreadable.accept(e);
                return NEVER;
            } finally {
                thread.setContextClassLoader(before);
            }
        }

        private long walk(long address, int length) throws IOException {
            if (length == 0) {
                throw new IOException("expected a list of at least one element, found no bytes");
            }
            long latest = NOTHING;
            while (in.available() > 0 && latest != NEVER) {
                int at = length - in.available();
                if (length - at < Long.BYTES) {
                    throw new IOException("expected the last access of an element, 8 bytes, at byte " + at
                            + " of a list, found its end at " + length);
                }
                latest = later(latest, Long.reverseBytes(Memory.getLong(address + at)), now);
                serializer.copy(in, out);
                byte delimiter = in.readByte();
                if (delimiter != ListLayout.DELIMITER) {
                    throw ListLayout.noDelimiter(delimiter, serializer);
                }
            }
            return latest;
        }
    }
}
