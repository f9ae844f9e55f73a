package io.drey.cli.inspect.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.java.typeutils.runtime.PojoSerializer;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializer;
import org.apache.flink.streaming.api.operators.TimerSerializer;

/** Names of types, as a serializer tells them. */
final class TypeText {
    private static final int NAME_BYTES = 256;

    private TypeText() {}

    static String of(TypeSerializer<?> serializer) {
        if (serializer == null) {
            return "bytes";
        }
        if (serializer instanceof VoidNamespaceSerializer) {
            return "none";
        }
        if (serializer instanceof ListSerializer<?> list) {
            return "List<" + of(list.getElementSerializer()) + ">";
        }
        if (serializer instanceof MapSerializer<?, ?> map) {
            return "Map<" + of(map.getKeySerializer()) + ", " + of(map.getValueSerializer()) + ">";
        }
        if (serializer instanceof TtlSerializer) {
            return "with time to live";
        }
        if (serializer instanceof TimerSerializer<?, ?> timer) {
            return "timer of " + of(timer.getKeySerializer());
        }
        if (serializer instanceof PojoSerializer<?> pojo) {
            return name(pojo);
        }
        if (serializer instanceof TupleSerializer<?> tuple) {
            return Arrays.stream(tuple.getFieldSerializers())
                    .map(TypeText::of)
                    .collect(Collectors.joining(", ", tuple.getTupleClass().getSimpleName() + "<", ">"));
        }
        return serializer.getClass().getSimpleName().replaceFirst("Serializer$", "");
    }

    /** As its snapshot begins, since there are no instances of some classes, and other constructors are the user's. */
    private static String name(PojoSerializer<?> pojo) {
        DataOutputSerializer bytes = new DataOutputSerializer(NAME_BYTES);
        try {
            pojo.snapshotConfiguration().writeSnapshot(bytes);
            String name = new DataInputDeserializer(bytes.getSharedBuffer(), 0, bytes.length()).readUTF();
            return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
        } catch (IOException e) {
            throw new UncheckedIOException("expected the snapshot of a serializer in memory", e);
        }
    }

    static boolean hasTtl(TypeSerializer<?> serializer) {
        return serializer instanceof TtlSerializer
                || (serializer instanceof ListSerializer<?> list && hasTtl(list.getElementSerializer()))
                || (serializer instanceof MapSerializer<?, ?> map && hasTtl(map.getValueSerializer()));
    }
}
