package io.drey.flink.state.timer;

import io.drey.store.MapScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.NoSuchElementException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.InternalPriorityQueue;
import org.apache.flink.runtime.state.heap.AbstractHeapPriorityQueueElement;
import org.apache.flink.util.CloseableIterator;

/** The timers of one key group, as Flink's key-group-partitioned queue wants them: a set ordered by serialized bytes. */
final class TimerSet<T> extends AbstractHeapPriorityQueueElement implements InternalPriorityQueue<T> {
    private final TimerStore store;
    private final TimerHead head;
    private final TypeSerializer<T> serializer;
    private final DataOutputSerializer out;
    private final DataInputDeserializer in;
    private T first;
    private byte[] firstBytes;

    TimerSet(
            TimerStore store,
            int cacheSize,
            TypeSerializer<T> serializer,
            DataOutputSerializer out,
            DataInputDeserializer in) {
        this.store = store;
        this.head = new TimerHead(store, cacheSize);
        this.serializer = serializer;
        this.out = out;
        this.in = in;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // The bytes of the element that was deserialized last.
    public T peek() {
        byte[] bytes = head.first();
        if (bytes == null) {
            first = null;
            firstBytes = null;
        } else if (bytes != firstBytes) {
            first = deserialize(bytes, 0, bytes.length);
            firstBytes = bytes;
        }
        return first;
    }

    @Override
    public T poll() {
        T polled = peek();
        if (polled != null) {
            head.remove(firstBytes);
            first = null;
            firstBytes = null;
        }
        return polled;
    }

    /** Returns whether the first element has changed. */
    @Override
    public boolean add(T element) {
        byte[] before = head.first();
        head.add(serialize(element));
        return changedFrom(before);
    }

    /** Returns whether the first element has changed. */
    @Override
    public boolean remove(T element) {
        byte[] before = head.first();
        if (before == null) {
            return false;
        }
        head.remove(serialize(element));
        return changedFrom(before);
    }

    private boolean changedFrom(byte[] before) {
        return !Arrays.equals(before, head.first());
    }

    @Override
    public boolean isEmpty() {
        return head.first() == null;
    }

    @Override
    public int size() {
        return head.size();
    }

    @Override
    public void addAll(Collection<? extends T> elements) {
        if (elements != null) {
            elements.forEach(this::add);
        }
    }

    @Override
    public CloseableIterator<T> iterator() {
        MapScan scan = store.scan(null);
        return new CloseableIterator<>() {
            private boolean fetched;
            private boolean ended;

            @Override
            public boolean hasNext() {
                if (!fetched && !ended) {
                    fetched = scan.next();
                    ended = !fetched;
                }
                return fetched;
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("the iterator has no more timers");
                }
                fetched = false;
                return deserialize(scan.bytes(), scan.keyOffset(), scan.keyLength());
            }

            @Override
            public void close() {
                ended = true;
                fetched = false;
            }
        };
    }

    private byte[] serialize(T element) {
        try {
            out.clear();
            serializer.serialize(element, out);
            return out.getCopyOfBuffer();
        } catch (IOException e) {
            throw new UncheckedIOException("a timer could not be serialized by " + serializer, e);
        }
    }

    private T deserialize(byte[] bytes, int offset, int length) {
        try {
            in.setBuffer(bytes, offset, length);
            return serializer.deserialize(in);
        } catch (IOException e) {
            throw new UncheckedIOException("a timer could not be deserialized by " + serializer, e);
        }
    }
}
