package io.drey.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What stores should hold, in plain collections. */
final class ModelState {
    /** A (key group, key, namespace). */
    record Row(int keyGroup, ByteBuffer key, ByteBuffer namespace) {}

    final Map<Row, byte[]> values = new HashMap<>();
    final Map<Row, byte[]> lists = new HashMap<>();
    final Map<Row, TreeMap<byte[], byte[]>> maps = new HashMap<>();

    ModelState copy() {
        ModelState copy = new ModelState();
        copy.values.putAll(values);
        copy.lists.putAll(lists);
        maps.forEach((row, map) -> {
            TreeMap<byte[], byte[]> entries = emptyMap();
            entries.putAll(map);
            copy.maps.put(row, entries);
        });
        return copy;
    }

    static TreeMap<byte[], byte[]> emptyMap() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    TreeMap<byte[], byte[]> map(Row row) {
        return maps.computeIfAbsent(row, absent -> emptyMap());
    }

    void append(Row row, byte[] bytes) {
        byte[] before = lists.getOrDefault(row, new byte[0]);
        byte[] after = Arrays.copyOf(before, before.length + bytes.length);
        System.arraycopy(bytes, 0, after, before.length, bytes.length);
        lists.put(row, after);
    }
}
