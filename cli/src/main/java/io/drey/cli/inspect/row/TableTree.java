package io.drey.cli.inspect.row;

import java.lang.reflect.Field;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Period;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.ArrayDataSerializer;
import org.apache.flink.table.runtime.typeutils.ExternalSerializer;
import org.apache.flink.table.runtime.typeutils.MapDataSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DistinctType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Turns what SQL keeps into what JSON knows: a row becomes the list of its fields. Rows do not know the types of their
 * fields, their serializers do. One thread.
 */
final class TableTree {
    private static final long NANOS_A_MILLI = 1_000_000;

    /** Made once for each serializer. */
    private final Map<TypeSerializer<?>, LogicalType> types = new IdentityHashMap<>();

    private final ValueTree others;

    /** What is not of SQL is left to another. */
    TableTree(ValueTree others) {
        this.others = others;
    }

    /** The type in SQL of what a serializer reads, or null if it is none of SQL's or not known. */
    LogicalType type(TypeSerializer<?> serializer) {
        return serializer == null ? null : types.computeIfAbsent(serializer, TableTree::find);
    }

    private static LogicalType find(TypeSerializer<?> serializer) {
        if (serializer instanceof RowDataSerializer) {
            return RowType.of((LogicalType[]) hidden(RowDataSerializer.class, serializer, "types"));
        }
        if (serializer instanceof ArrayDataSerializer) {
            return new ArrayType((LogicalType) hidden(ArrayDataSerializer.class, serializer, "eleType"));
        }
        if (serializer instanceof MapDataSerializer) {
            return new MapType((LogicalType) hidden(MapDataSerializer.class, serializer, "keyType"), (LogicalType)
                    hidden(MapDataSerializer.class, serializer, "valueType"));
        }
        return serializer instanceof ExternalSerializer<?, ?> external
                ? external.getDataType().getLogicalType()
                : null;
    }

    /** A field of a serializer of Flink that nothing but its snapshot, in Java's serialization, tells. */
    static Object hidden(Class<?> declaring, TypeSerializer<?> serializer, String name) {
        try {
            Field field = declaring.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(serializer);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("expected field " + name + " in " + declaring, e);
        }
    }

    /** The object of a type, which may also be one that the job's own classes stand for. */
    Object of(Object object, LogicalType type) {
        if (type instanceof DistinctType distinct) {
            return of(object, distinct.getSourceType());
        }
        List<LogicalType> parts = type.getChildren();
        if (object instanceof RowData row) {
            List<Object> fields = new ArrayList<>();
            for (int i = 0; i < row.getArity(); i++) {
                fields.add(of(RowData.createFieldGetter(parts.get(i), i).getFieldOrNull(row), parts.get(i)));
            }
            return fields;
        }
        if (object instanceof ArrayData array) {
            return elements(array, parts.get(0));
        }
        if (object instanceof MapData map) {
            List<Object> keys = elements(map.keyArray(), parts.get(0));
            // Of a multiset the values are how often each element is there.
            List<Object> values = elements(map.valueArray(), parts.size() > 1 ? parts.get(1) : new IntType());
            Map<String, Object> tree = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                tree.put(String.valueOf(keys.get(i)), values.get(i));
            }
            return tree;
        }
        return others.of(plain(object, type), null);
    }

    private List<Object> elements(ArrayData array, LogicalType type) {
        ArrayData.ElementGetter getter = ArrayData.createElementGetter(type);
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            elements.add(of(getter.getElementOrNull(array, i), type));
        }
        return elements;
    }

    /** SQL has days, times and intervals as numbers. */
    private static Object plain(Object object, LogicalType type) {
        if (object instanceof DecimalData decimal) {
            return decimal.toBigDecimal();
        }
        return switch (type.getTypeRoot()) {
            case DATE -> object instanceof Integer days ? LocalDate.ofEpochDay(days) : object;
            case TIME_WITHOUT_TIME_ZONE ->
                object instanceof Integer millis ? LocalTime.ofNanoOfDay(millis * NANOS_A_MILLI) : object;
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> object instanceof TimestampData time ? time.toInstant() : object;
            case INTERVAL_DAY_TIME -> object instanceof Long millis ? Duration.ofMillis(millis) : object;
            case INTERVAL_YEAR_MONTH -> object instanceof Integer months ? Period.ofMonths(months) : object;
            default -> object;
        };
    }
}
