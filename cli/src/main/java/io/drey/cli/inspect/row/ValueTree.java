package io.drey.cli.inspect.row;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.apache.flink.types.Row;

/** Turns objects of a state into what JSON knows: texts, numbers, lists and maps. */
final class ValueTree {
    private static final int DEPTH_MAX = 12;

    private ValueTree() {}

    static Object of(Object object) {
        return of(object, 0);
    }

    private static Object of(Object object, int depth) {
        if (object == null || object instanceof Number || object instanceof Boolean || object instanceof String) {
            return object;
        }
        if (depth == DEPTH_MAX || object instanceof CharSequence || object instanceof Enum) {
            return object.toString();
        }
        if (object instanceof VoidNamespace) {
            return "";
        }
        if (object instanceof byte[] bytes) {
            return "0x" + HexFormat.of().formatHex(bytes);
        }
        if (object instanceof TtlValue<?> ttl) {
            return of(ttl.getUserValue(), depth + 1);
        }
        if (object instanceof Map<?, ?> map) {
            Map<String, Object> tree = new LinkedHashMap<>();
            map.forEach((key, value) -> tree.put(String.valueOf(of(key, depth + 1)), of(value, depth + 1)));
            return tree;
        }
        List<?> elements = elements(object);
        if (elements != null) {
            return elements.stream().map(each -> of(each, depth + 1)).toList();
        }
        return tellsItself(object.getClass()) ? object.toString() : fields(object, depth);
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

    private static Object fields(Object object, int depth) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && field.trySetAccessible()) {
                    try {
                        tree.put(field.getName(), of(field.get(object), depth + 1));
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException("expected to read " + field + ", which was made accessible", e);
                    }
                }
            }
        }
        return tree;
    }
}
