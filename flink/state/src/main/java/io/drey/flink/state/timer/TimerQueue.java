package io.drey.flink.state.timer;

import io.drey.keyed.timer.Element;
import io.drey.keyed.timer.TimerScan;
import io.drey.keyed.timer.TimerSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.heap.AbstractHeapPriorityQueueElement;
import org.apache.flink.util.CloseableIterator;

/**
 * A {@link TimerSet} as Flink wants it: elements are serialized on their way in and deserialized on their way out. It
 * can be an element of a heap of queues. Hot path; one thread.
 */
final class TimerQueue<T extends Keyed<?>> extends AbstractHeapPriorityQueueElement
        implements KeyGroupedInternalPriorityQueue<T> {
    private final TimerSet set;
    private final KeyGroupRange keyGroups;
    private final int keyGroupsOfJob;
    private final DataOutputSerializer out = new DataOutputSerializer(128);
    private final DataInputDeserializer in = new DataInputDeserializer();
    private final Element element = new Element();
    private final TypeSerializer<T> serializer;

    /** The first element as of a version of the set, or null. */
    private T first;

    private long version = -1;

    TimerQueue(TimerSet set, KeyGroupRange keyGroups, int keyGroupsOfJob, TypeSerializer<T> serializer) {
        this.set = set;
        this.keyGroups = keyGroups;
        this.keyGroupsOfJob = keyGroupsOfJob;
        this.serializer = serializer;
    }

    @Override
    public T peek() {
        if (version != set.version()) {
            first = null;
            if (set.settle()) {
                Element bytes = set.first();
                first = deserialize(bytes.bytes(), bytes.offset(), bytes.length());
            }
            version = set.version();
        }
        return first;
    }

    @Override
    public T poll() {
        T polled = peek();
        if (polled != null) {
            set.removeFirst();
        }
        return polled;
    }

    /** Returns whether the first element has changed. */
    @Override
    public boolean add(T added) {
        return set.add(serialize(added));
    }

    /** Returns whether the first element has changed. */
    @Override
    public boolean remove(T removed) {
        return set.remove(serialize(removed));
    }

    @Override
    public boolean isEmpty() {
        return !set.settle();
    }

    @Override
    public int size() {
        return set.size();
    }

    @Override
    public void addAll(Collection<? extends T> elements) {
        if (elements != null) {
            elements.forEach(this::add);
        }
    }

    @Override
    public CloseableIterator<T> iterator() {
        return new Elements(new TimerScan(set, keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup()));
    }

    @Override
    public Set<T> getSubsetForKeyGroup(int keyGroup) {
        if (!keyGroups.contains(keyGroup)) {
            throw outside(keyGroup);
        }
        Set<T> subset = new HashSet<>();
        TimerScan walk = new TimerScan(set, keyGroup, keyGroup);
        while (walk.next()) {
            subset.add(deserialize(walk.bytes(), walk.offset(), walk.length()));
        }
        return subset;
    }

    private Element serialize(T value) {
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(value.getKey(), keyGroupsOfJob);
        if (!keyGroups.contains(keyGroup)) {
            throw outside(keyGroup);
        }
        try {
            out.clear();
            serializer.serialize(value, out);
        } catch (IOException e) {
            throw new UncheckedIOException("a timer could not be serialized by " + serializer, e);
        }
        return element.at(keyGroup, out.getSharedBuffer(), 0, out.length());
    }

    private IllegalArgumentException outside(int keyGroup) {
        return new IllegalArgumentException("expected a key group of " + keyGroups + ", found " + keyGroup);
    }

    private T deserialize(byte[] bytes, int offset, int length) {
        try {
            in.setBuffer(bytes, offset, length);
            return serializer.deserialize(in);
        } catch (IOException e) {
            throw new UncheckedIOException("a timer could not be deserialized by " + serializer, e);
        }
    }

    /** The elements of a walk. */
    private final class Elements implements CloseableIterator<T> {
        private final TimerScan walk;
        private boolean fetched;
        private boolean ended;

        Elements(TimerScan walk) {
            this.walk = walk;
        }

        @Override
        public boolean hasNext() {
            if (!fetched && !ended) {
                fetched = walk.next();
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
            return deserialize(walk.bytes(), walk.offset(), walk.length());
        }

        @Override
        public void close() {
            ended = true;
            fetched = false;
        }
    }
}
