package io.drey.flink.state.map;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StoredState;
import io.drey.store.entry.EntryKey;
import io.drey.store.read.MapScan;
import java.io.IOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * Map state: an entry of the store for each map key. A value is a byte that says whether it is null, then its bytes, as
 * in the canonical format.
 */
public final class DreyMapState<K, N, UK, UV> extends StoredState<K, N, Map<UK, UV>>
        implements InternalMapState<K, N, UK, UV> {
    /** Bytes in front of a value that say whether it is null. */
    public static final int NULL_FLAG_BYTES = 1;

    private final DataOutputSerializer keyOut = new DataOutputSerializer(64);
    private TypeSerializer<UK> keySerializer;
    private TypeSerializer<UV> valueSerializer;

    public DreyMapState(KeyedStore<K> store, StateTable table) {
        super(store, table);
    }

    @Override
    public void configure(
            StateDescriptor<?, Map<UK, UV>> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, Map<UK, UV>> info) {
        super.configure(descriptor, info);
        MapSerializer<UK, UV> serializer = (MapSerializer<UK, UV>) info.getStateSerializer();
        keySerializer = serializer.getKeySerializer();
        valueSerializer = serializer.getValueSerializer();
    }

    @Override
    public UV get(UK key) throws IOException {
        return store.get(entry(key)) ? readValue(store.input(), valueSerializer) : null;
    }

    @Override
    public boolean contains(UK key) throws IOException {
        return store.get(entry(key));
    }

    @Override
    public void put(UK key, UV value) throws IOException {
        EntryKey entry = entry(key);
        writeValue(value, valueSerializer, store.output());
        store.put(entry);
    }

    @Override
    public void putAll(Map<UK, UV> map) throws IOException {
        if (map == null) {
            return;
        }
        for (Map.Entry<UK, UV> entry : map.entrySet()) {
            put(entry.getKey(), entry.getValue());
        }
    }

    @Override
    public void remove(UK key) throws IOException {
        store.delete(entry(key));
    }

    @Override
    public boolean isEmpty() {
        return store.isMapEmpty(address.row());
    }

    @Override
    public void clear() {
        store.clearMap(address.row());
    }

    @Override
    public Iterable<Map.Entry<UK, UV>> entries() {
        return this::iterator;
    }

    @Override
    public Iterator<Map.Entry<UK, UV>> iterator() {
        return scan(address.row(), MapIteration::nextEntry);
    }

    @Override
    public Iterable<UK> keys() {
        return ofCurrentKey(MapIteration::nextKey);
    }

    @Override
    public Iterable<UV> values() {
        return ofCurrentKey(MapIteration::nextValue);
    }

    /** Of the key that is the current one now, whichever it is when it is walked: as with Flink's backends. */
    private <T> Iterable<T> ofCurrentKey(MapIteration.Step<UK, UV, T> step) {
        EntryKey row = new EntryKey().set(address.row());
        return () -> scan(row, step);
    }

    private <T> Iterator<T> scan(EntryKey row, MapIteration.Step<UK, UV, T> step) {
        MapScan scan = store.firstOf(row);
        if (scan == null) {
            return Collections.emptyIterator();
        }
        return new MapIteration<>(store, scan, keySerializer, valueSerializer).iterator(step);
    }

    private EntryKey entry(UK key) throws IOException {
        keyOut.clear();
        keySerializer.serialize(key, keyOut);
        return address.mapKey(keyOut.getSharedBuffer(), 0, keyOut.length());
    }

    static <UV> void writeValue(UV value, TypeSerializer<UV> serializer, DataOutputSerializer out) throws IOException {
        out.writeBoolean(value == null);
        if (value != null) {
            serializer.serialize(value, out);
        }
    }

    static <UV> UV readValue(DataInputDeserializer in, TypeSerializer<UV> serializer) throws IOException {
        return in.readBoolean() ? null : serializer.deserialize(in);
    }

    @Override
    public void migrate(
            DataInputDeserializer prior,
            DataOutputSerializer migrated,
            TtlAwareSerializer<Map<UK, UV>, ?> priorSerializer,
            TtlAwareSerializer<Map<UK, UV>, ?> serializer,
            TtlTimeProvider time)
            throws IOException {
        TtlAwareSerializer<UV, ?> priorValues = values(priorSerializer);
        TtlAwareSerializer<UV, ?> values = values(serializer);
        boolean isNull = prior.readBoolean();
        if (isNull) {
            // What HashMap writes into savepoints has a null after its flag too.
            prior.skipBytesToRead(prior.available());
        }
        // Flink takes an entry without a time for none, so a null with a time is a value that holds null.
        boolean isFlagged = isNull && (priorValues.isTtlEnabled() || !values.isTtlEnabled());
        migrated.writeBoolean(isFlagged);
        if (!isFlagged) {
            values.migrateValueFromPriorSerializer(
                    priorValues, () -> isNull ? null : priorValues.deserialize(prior), migrated, time);
        }
    }

    @SuppressWarnings("unchecked")
    private static <UK, UV> TtlAwareSerializer<UV, ?> values(TtlAwareSerializer<Map<UK, UV>, ?> map) {
        return ((TtlAwareSerializer.TtlAwareMapSerializer<UK, UV>) map).getValueSerializer();
    }

    @Override
    protected byte[] readForClient(KeyedStore<K> reader, EntryKey row, TypeSerializer<Map<UK, UV>> safeValueSerializer)
            throws IOException {
        MapSerializer<UK, UV> safe = (MapSerializer<UK, UV>) safeValueSerializer;
        MapScan scan = reader.firstOf(row);
        Map<UK, UV> entries = new LinkedHashMap<>();
        for (boolean found = scan != null; found; found = reader.next(scan)) {
            UK key =
                    safe.getKeySerializer().deserialize(reader.input(scan.bytes(), scan.keyOffset(), scan.keyLength()));
            UV value = readValue(
                    reader.input(scan.bytes(), scan.valueOffset(), scan.valueLength()), safe.getValueSerializer());
            entries.put(key, value);
        }
        return entries.isEmpty()
                ? null
                : KvStateSerializer.serializeMap(
                        entries.entrySet(), safe.getKeySerializer(), safe.getValueSerializer());
    }
}
