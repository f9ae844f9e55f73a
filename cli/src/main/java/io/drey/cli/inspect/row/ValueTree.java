package io.drey.cli.inspect.row;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.CompositeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializer;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryFormat;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.runtime.typeutils.SortedMapSerializer;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.types.Row;

/** Turns objects of a state into what JSON knows: texts, numbers, lists and maps. One thread. */
final class ValueTree {
    private static final int DEPTH_MAX = 12;

    private final TableTree tables = new TableTree(this);

    /** The serializer that read the object says what is in the rows of SQL; null if it is not known. */
    Object of(Object object, TypeSerializer<?> serializer) {
        return of(object, serializer, 0);
    }

    private Object of(Object object, TypeSerializer<?> serializer, int depth) {
        LogicalType table = tables.type(serializer);
        if (table != null) {
            return tables.of(object, table);
        }
        if (object == null || object instanceof Number || object instanceof Boolean || object instanceof String) {
            return object;
        }
        if (depth == DEPTH_MAX
                || object instanceof CharSequence
                || object instanceof Enum
                || object instanceof StringData) {
            return object.toString();
        }
        if (object instanceof BinaryFormat binary) {
            return RowDecoder.hex(
                    BinarySegmentUtils.copyToBytes(binary.getSegments(), binary.getOffset(), binary.getSizeInBytes()));
        }
        if (object instanceof VoidNamespace) {
            return "";
        }
        if (object instanceof byte[] bytes) {
            return RowDecoder.hex(bytes);
        }
        if (object instanceof TtlValue<?> ttl) {
            return of(ttl.getUserValue(), part(serializer, 1), depth + 1);
        }
        if (object instanceof Map<?, ?> map) {
            Map<String, Object> tree = new LinkedHashMap<>();
            map.forEach((key, value) -> tree.put(
                    String.valueOf(of(key, part(serializer, 0), depth + 1)),
                    of(value, part(serializer, 1), depth + 1)));
            return tree;
        }
        List<?> elements = elements(object);
        if (elements != null) {
            List<Object> tree = new ArrayList<>();
            for (int i = 0; i < elements.size(); i++) {
                tree.add(of(elements.get(i), part(serializer, i), depth + 1));
            }
            return tree;
        }
        return tellsItself(object.getClass()) ? object.toString() : fields(object, depth);
    }

    /** What reads a part of what a serializer reads, where rows of SQL may be in it; else null. */
    private static TypeSerializer<?> part(TypeSerializer<?> serializer, int index) {
        if (serializer instanceof ListSerializer<?> list) {
            return list.getElementSerializer();
        }
        if (serializer instanceof MapSerializer<?, ?> map) {
            return index == 0 ? map.getKeySerializer() : map.getValueSerializer();
        }
        if (serializer instanceof SortedMapSerializer<?, ?> map) {
            return index == 0 ? map.getKeySerializer() : map.getValueSerializer();
        }
        if (serializer instanceof TupleSerializer<?> tuple) {
            return tuple.getFieldSerializers()[index];
        }
        return serializer instanceof TtlSerializer
                ? ((TypeSerializer<?>[]) TableTree.hidden(CompositeSerializer.class, serializer, "fieldSerializers"))
                        [index]
                : null;
    }

    /** The elements of what has some, or null. */
    private static List<?> elements(Object object) {
        List<Object> elements = new ArrayList<>();
        if (object instanceof Collection<?> collection) {
            elements.addAll(collection);
        } else if (object instanceof Tuple tuple) {
            for (int i = 0; i < tuple.getArity(); i++) {
                elements.add(tuple.getField(i));
            }
        } else if (object instanceof Row row) {
            for (int i = 0; i < row.getArity(); i++) {
                elements.add(row.getField(i));
            }
        } else if (object.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(object); i++) {
                elements.add(Array.get(object, i));
            }
        } else {
            return null;
        }
        return elements;
    }

    /** Whether a class says more than its name and a number; those of the JDK are not opened. */
    private static boolean tellsItself(Class<?> type) {
        try {
            return type.getName().startsWith("java.")
                    || type.getMethod("toString").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("expected every class to have toString", e);
        }
    }

    private Object fields(Object object, int depth) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && field.trySetAccessible()) {
                    try {
                        tree.put(field.getName(), of(field.get(object), null, depth + 1));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException("expected to read " + field + ", which was made accessible", e);
                    }
                }
            }
        }
        return tree;
    }
}
