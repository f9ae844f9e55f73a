package io.drey.flink.state.map;

import io.drey.flink.state.table.KeyedStore;
import io.drey.store.entry.EntryKey;
import io.drey.store.read.MapScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * A walk over a map that has at least one entry, by an iterator of entries, keys or values. Changes through it, and
 * through the entries it handed out, go to the key and namespace under which it began.
 */
final class MapIteration<UK, UV> {
    /** Nothing was handed out yet, or it was removed. */
    private static final int NONE = -1;

    private final KeyedStore<?> store;
    private final MapScan scan;
    private final TypeSerializer<UK> keySerializer;
    private final TypeSerializer<UV> valueSerializer;
    /** The scan stands on an entry that was not handed out yet. */
    private boolean fetched = true;

    private boolean ended;

    /**
     * What was handed out last: where its key lies in the scan's bytes, and a copy of it once the scan has left them.
     */
    private int lastKeyOffset = NONE;

    private int lastKeyLength;
    private byte[] lastKey;
    private IteratedEntry lastEntry;

    /** Begins on a scan that stands on its first entry. */
    MapIteration(
            KeyedStore<?> store, MapScan scan, TypeSerializer<UK> keySerializer, TypeSerializer<UV> valueSerializer) {
        this.store = store;
        this.scan = scan;
        this.keySerializer = keySerializer;
        this.valueSerializer = valueSerializer;
    }

    /** Makes the element that an iterator hands out of the entry under the scan. */
    @FunctionalInterface
    interface Step<UK, UV, T> {
        T next(MapIteration<UK, UV> walk) throws IOException;
    }

    <T> Iterator<T> iterator(Step<UK, UV, T> step) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return fetched || fetch();
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                lastKeyOffset = scan.keyOffset();
                lastKeyLength = scan.keyLength();
                lastKey = null;
                fetched = false;
                try {
                    return step.next(MapIteration.this);
                } catch (IOException e) {
                    throw new UncheckedIOException("an entry of a map could not be deserialized", e);
                }
            }

            @Override
            public void remove() {
                removeLast();
            }
        };
    }

    /** Steps to an entry that was not handed out yet. */
    private boolean fetch() {
        if (ended) {
            return false;
        }
        if (!scan.isNextAtHand()) {
            keepLastKey();
        }
        fetched = store.next(scan);
        ended = !fetched;
        return fetched;
    }

    private void keepLastKey() {
        if (lastKeyOffset != NONE) {
            lastKey = copyOfLastKey();
        }
    }

    UK nextKey() throws IOException {
        return keySerializer.deserialize(store.input(scan.bytes(), scan.keyOffset(), scan.keyLength()));
    }

    UV nextValue() throws IOException {
        return DreyMapState.readValue(
                store.input(scan.bytes(), scan.valueOffset(), scan.valueLength()), valueSerializer);
    }

    Map.Entry<UK, UV> nextEntry() throws IOException {
        // A key that cannot change tells its bytes again if they should be needed.
        byte[] keyBytes = keySerializer.isImmutableType() ? null : copyOfLastKey();
        lastEntry = new IteratedEntry(keyBytes, nextKey(), nextValue());
        return lastEntry;
    }

    private byte[] serialize(UK key) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        keySerializer.serialize(key, out);
        return out.getCopyOfBuffer();
    }

    private byte[] copyOfLastKey() {
        return Arrays.copyOfRange(scan.bytes(), lastKeyOffset, lastKeyOffset + lastKeyLength);
    }

    private EntryKey address(byte[] mapKey) {
        return scan.rowInto(new EntryKey()).mapKey(mapKey, 0, mapKey.length);
    }

    private void removeLast() {
        if (lastKeyOffset == NONE) {
            throw new IllegalStateException("The remove operation must be called after a valid next operation.");
        }
        store.delete(address(lastKey == null ? copyOfLastKey() : lastKey));
        lastKeyOffset = NONE;
        lastKey = null;
        if (lastEntry != null) {
            lastEntry.removed = true;
            lastEntry.value = null;
        }
    }

    private final class IteratedEntry implements Map.Entry<UK, UV> {
        /** Null if they are to be had from the key. */
        private final byte[] keyBytes;

        private final UK key;
        private UV value;
        private boolean removed;

        IteratedEntry(byte[] keyBytes, UK key, UV value) {
            this.keyBytes = keyBytes;
            this.key = key;
            this.value = value;
        }

        @Override
        public UK getKey() {
            return key;
        }

        @Override
        public UV getValue() {
            return value;
        }

        @Override
        public UV setValue(UV newValue) {
            if (removed) {
                throw new IllegalStateException("The value has already been deleted.");
            }
            byte[] mapKey;
            try {
                mapKey = keyBytes == null ? serialize(key) : keyBytes;
                DreyMapState.writeValue(newValue, valueSerializer, store.output());
            } catch (IOException e) {
                throw new UncheckedIOException("an entry of a map could not be serialized by " + valueSerializer, e);
            }
            store.put(address(mapKey));
            UV old = value;
            value = newValue;
            return old;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Map.Entry<?, ?> entry
                    && Objects.equals(key, entry.getKey())
                    && Objects.equals(value, entry.getValue());
        }

        @Override
        public int hashCode() {
            return Objects.hashCode(key) ^ Objects.hashCode(value);
        }

        @Override
        public String toString() {
            return key + "=" + value;
        }
    }
}
