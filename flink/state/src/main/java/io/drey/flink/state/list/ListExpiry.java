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
 * a time to live writes it: with their last element, and before that the elements at their begin. Those of one length
 * are found by counting, others by letting their serializer copy them to nowhere, under the class loader of the job,
 * which background threads do not have.
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
            return new Count(length + 1, now);
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

    /** Sees the elements of lists, one after another. One thread. */
    private abstract class Elements implements Reader {
        private final long now;
        private long latest;
        private int head;
        private boolean isHead;

        Elements(long now) {
            this.now = now;
        }

        final void begin() {
            latest = NOTHING;
            head = 0;
            isHead = true;
        }

        /** An element at that byte. */
        final void see(long address, int at) {
            long lastAccess = Long.reverseBytes(Memory.getLong(address + at));
            if (isHead && lastAccess > now - ttlMs) {
                isHead = false;
                head = at;
            }
            boolean mayExpire = lastAccess >= 0 && lastAccess <= now;
            latest = mayExpire ? Math.max(latest, lastAccess) : NEVER;
        }

        final long latest() {
            return latest;
        }

        final long unreadable(Throwable cause) {
            unreadable.accept(cause);
            latest = NEVER;
            return NEVER;
        }

        @Override
        public final int expiredHead() {
            return latest == NEVER ? 0 : head;
        }
    }

    /** Counts elements of one length, with their delimiter. */
    private final class Count extends Elements {
        private final int step;

        Count(int step, long now) {
            super(now);
            this.step = step;
        }

        @Override
        public long lastAccess(long address, int bytes) {
            begin();
            if (bytes == 0 || bytes % step != 0) {
                return unreadable(new IOException(
                        "expected a list of elements of " + step + " bytes each, found one of " + bytes + " bytes"));
            }
            for (int at = 0; at < bytes && latest() != NEVER; at += step) {
                byte delimiter = Memory.getByte(address + at + step - 1);
                if (delimiter != ListLayout.DELIMITER) {
                    return unreadable(ListLayout.noDelimiter(delimiter, elementSerializer));
                }
                see(address, at);
            }
            return latest();
        }
    }

    /** Walks through elements by their serializer. */
    private final class Walk extends Elements {
        private final TypeSerializer<?> serializer;
        private final DataInputDeserializer in = new DataInputDeserializer();
        private final NoOutput out = new NoOutput();
        private byte[] buffer = new byte[BUFFER_BYTES_MIN];

        Walk(TypeSerializer<?> serializer, long now) {
            super(now);
            this.serializer = serializer;
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
            } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError e) {
                // Bytes of another format may be taken for any length. Nothing that could be repaired here.
                return unreadable(e);
            } finally {
                thread.setContextClassLoader(before);
            }
        }

        private long walk(long address, int length) throws IOException {
            if (length == 0) {
                throw new IOException("expected a list of at least one element, found no bytes");
            }
            begin();
            while (in.available() > 0 && latest() != NEVER) {
                int at = length - in.available();
                if (length - at < Long.BYTES) {
                    throw new IOException("expected the last access of an element, 8 bytes, at byte " + at
                            + " of a list, found its end at " + length);
                }
                see(address, at);
                serializer.copy(in, out);
                byte delimiter = in.readByte();
                if (delimiter != ListLayout.DELIMITER) {
                    throw ListLayout.noDelimiter(delimiter, serializer);
                }
            }
            return latest();
        }
    }
}
