package io.drey.flink.state.keyed;

import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.task.TaskThread;
import io.drey.foundation.DreyException;
import io.drey.keyed.codec.EntryBody;
import io.drey.store.Store;
import io.drey.store.StoreSnapshot;
import io.drey.store.entry.EntryCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.util.FlinkRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams of keys, over a snapshot, so that states may change while a stream is read. A stream ends its snapshot when
 * it is closed, when it is read to its end, or with the backend. One thread at a time.
 */
final class KeyStreams<K> {
    private static final Logger LOG = LoggerFactory.getLogger(KeyStreams.class);

    private final Store store;
    private final StateTables tables;
    private final KeyGroupRange keyGroups;
    private final TypeSerializer<K> keySerializer;
    private final TaskThread task;
    private final Set<RowScan> open = new HashSet<>();

    KeyStreams(
            Store store,
            StateTables tables,
            KeyGroupRange keyGroups,
            TypeSerializer<K> keySerializer,
            TaskThread task) {
        this.store = store;
        this.tables = tables;
        this.keyGroups = keyGroups;
        this.keySerializer = keySerializer;
        this.task = task;
    }

    /** The keys that at least one of the states has under a namespace. */
    <N> Stream<K> keys(List<String> states, N namespace) {
        List<Integer> numbers = new ArrayList<>();
        byte[] namespaceBytes = null;
        for (String state : states) {
            StateTable table = tables.keyValue(state);
            if (table == null) {
                continue;
            }
            byte[] bytes = serialize(namespace, KeyStreams.<N>info(table).getNamespaceSerializer());
            if (namespaceBytes != null && !Arrays.equals(namespaceBytes, bytes)) {
                throw new FlinkRuntimeException(
                        "expected the states " + states + " to have one type of namespace, found several");
            }
            namespaceBytes = bytes;
            numbers.add(table.number());
        }
        DataInputDeserializer in = new DataInputDeserializer();
        return numbers.isEmpty() ? Stream.empty() : stream(numbers, namespaceBytes, body -> key(body, in));
    }

    /** The keys of a state with their namespaces. */
    <N> Stream<Tuple2<K, N>> keysAndNamespaces(String state) {
        StateTable table = tables.keyValue(state);
        if (table == null) {
            return Stream.empty();
        }
        TypeSerializer<N> namespaceSerializer = KeyStreams.<N>info(table).getNamespaceSerializer();
        DataInputDeserializer in = new DataInputDeserializer();
        return stream(List.of(table.number()), null, body -> {
            K key = key(body, in);
            in.setBuffer(body.bytes(), body.namespaceOffset(), body.namespaceLength());
            return Tuple2.of(key, deserialize(namespaceSerializer, in));
        });
    }

    @SuppressWarnings("unchecked")
    private static <N> RegisteredKeyValueStateBackendMetaInfo<N, ?> info(StateTable table) {
        return (RegisteredKeyValueStateBackendMetaInfo<N, ?>) table.info();
    }

    private K key(EntryBody body, DataInputDeserializer in) {
        in.setBuffer(body.bytes(), body.keyOffset(), body.keyLength());
        return deserialize(keySerializer, in);
    }

    private static <T> T deserialize(TypeSerializer<T> serializer, DataInputDeserializer in) {
        try {
            return serializer.deserialize(in);
        } catch (IOException e) {
            throw new UncheckedIOException("a key or namespace could not be deserialized by " + serializer, e);
        }
    }

    private static <N> byte[] serialize(N namespace, TypeSerializer<N> serializer) {
        DataOutputSerializer out = new DataOutputSerializer(32);
        try {
            serializer.serialize(namespace, out);
        } catch (IOException e) {
            throw new UncheckedIOException("the namespace could not be serialized by " + serializer, e);
        }
        return out.getCopyOfBuffer();
    }

    private <T> Stream<T> stream(List<Integer> numbers, byte[] namespace, Function<EntryBody, T> read) {
        RowScan walk = new RowScan(snapshot(), numbers, keyGroups, namespace);
        open.add(walk);
        Iterator<T> iterator = new Iterator<>() {
            private boolean fetched;
            private boolean ended;

            @Override
            public boolean hasNext() {
                if (!fetched && !ended) {
                    fetched = walk.next();
                    if (!fetched) {
                        ended = true;
                        close(walk);
                    }
                }
                return fetched;
            }

            @Override
            public T next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                fetched = false;
                return read.apply(walk.body());
            }
        };
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED | Spliterator.NONNULL), false)
                .onClose(() -> close(walk));
    }

    /** All entries of a table; a map has one for each of its keys. */
    int count(StateTable table) {
        int count = 0;
        try (StoreSnapshot snapshot = snapshot();
                EntryCursor cursor =
                        snapshot.scan(table.number(), keyGroups.getStartKeyGroup(), keyGroups.getEndKeyGroup())) {
            while (cursor.next()) {
                count++;
            }
        }
        return count;
    }

    private StoreSnapshot snapshot() {
        StoreSnapshot snapshot = task.alone(store::snapshot);
        try {
            snapshot.await();
            return snapshot;
        } catch (InterruptedException e) {
            snapshot.close();
            Thread.currentThread().interrupt();
            throw new FlinkRuntimeException("the walk over the keys was interrupted", e);
        } catch (RuntimeException e) {
            snapshot.close();
            throw e;
        }
    }

    private void close(RowScan walk) {
        open.remove(walk);
        walk.close();
    }

    /** The backend ends: closes the streams that nobody closed. What a disk does not let go goes with its directory. */
    void close() {
        for (RowScan walk : List.copyOf(open)) {
            try {
                close(walk);
            } catch (DreyException e) {
                LOG.warn("A stream of keys that nobody closed could not delete all of its local files", e);
            }
        }
    }
}
