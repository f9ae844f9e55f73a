package io.drey.flink.state.canonical;

import io.drey.flink.state.list.ListLayout;
import io.drey.flink.state.table.StateTable;
import io.drey.store.entry.TableKind;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ListDelimitedSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotTransformer;
import org.apache.flink.runtime.state.StateSnapshotTransformer.CollectionStateSnapshotTransformer;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;

/**
 * The value of a canonical row, made of the stored bytes and the state's snapshot transformer, which filters what has
 * expired. Made in the synchronous part of a snapshot, because transformers remember the time of their making; used by
 * the thread that writes.
 */
@FunctionalInterface
interface CanonicalValue {
    /** The canonical bytes, or null if the entry is left out. */
    byte[] of(byte[] stored) throws IOException;

    static CanonicalValue of(StateTable table) {
        if (table.info() instanceof RegisteredKeyValueStateBackendMetaInfo<?, ?> info) {
            if (table.kind() == TableKind.LIST) {
                return list(table.transforms(), ((ListSerializer<?>) info.getStateSerializer()).getElementSerializer());
            }
            StateSnapshotTransformer<byte[]> transformer =
                    table.transforms().createForSerializedState().orElse(null);
            if (transformer != null) {
                return table.kind() == TableKind.MAP ? mapValue(transformer) : transformer::filterOrTransform;
            }
        }
        return stored -> stored;
    }

    /** The transformer sees a map's value without the flag that says whether it is null. */
    private static CanonicalValue mapValue(StateSnapshotTransformer<byte[]> transformer) {
        return stored -> {
            boolean isNull = stored[0] != 0;
            if (isNull) {
                return stored;
            }
            byte[] value = Arrays.copyOfRange(stored, 1, stored.length);
            byte[] transformed = transformer.filterOrTransform(value);
            if (transformed == null) {
                return null;
            }
            byte[] flagged = new byte[transformed.length + 1];
            System.arraycopy(transformed, 0, flagged, 1, transformed.length);
            return flagged;
        };
    }

    @SuppressWarnings("unchecked")
    private static <T> CanonicalValue list(StateSnapshotTransformFactory<?> factory, TypeSerializer<T> elements) {
        StateSnapshotTransformer<T> transformer = ((StateSnapshotTransformFactory<T>) factory)
                .createForDeserializedState()
                .orElse(null);
        if (transformer == null) {
            return stored -> ListLayout.toCanonical(stored, stored.length);
        }
        TypeSerializer<T> own = elements.duplicate();
        return stored -> transform(ListLayout.toCanonical(stored, stored.length), transformer, own);
    }

    private static <T> byte[] transform(
            byte[] canonical, StateSnapshotTransformer<T> transformer, TypeSerializer<T> elements) throws IOException {
        boolean stopsAtFirst = transformer instanceof CollectionStateSnapshotTransformer<T> collection
                && collection.getFilterStrategy()
                        == CollectionStateSnapshotTransformer.TransformStrategy.STOP_ON_FIRST_INCLUDED;
        DataInputDeserializer in = new DataInputDeserializer(canonical);
        DataOutputSerializer out = new DataOutputSerializer(canonical.length);
        int from = 0;
        T element;
        while ((element = ListDelimitedSerializer.deserializeNextElement(in, elements)) != null) {
            T transformed = transformer.filterOrTransform(element);
            if (transformed != null && stopsAtFirst) {
                return Arrays.copyOfRange(canonical, from, canonical.length);
            }
            if (transformed != null) {
                if (out.length() > 0) {
                    out.write(',');
                }
                elements.serialize(transformed, out);
            }
            from = in.getPosition();
        }
        return out.length() == 0 ? null : out.getCopyOfBuffer();
    }
}
