package io.drey.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What stores should hold, in plain collections. */
final class ModelState {
    /** A (key group, key, namespace). */
    record Group(int keyGroup, ByteBuffer key, ByteBuffer namespace) {}

    final Map<Group, byte[]> values = new HashMap<>();
    final Map<Group, byte[]> lists = new HashMap<>();
    final Map<Group, TreeMap<byte[], byte[]>> maps = new HashMap<>();

    ModelState copy() {
        ModelState copy = new ModelState();
        copy.values.putAll(values);
        copy.lists.putAll(lists);
        maps.forEach((group, map) -> {
            TreeMap<byte[], byte[]> entries = emptyMap();
            entries.putAll(map);
            copy.maps.put(group, entries);
        });
        return copy;
    }

    static TreeMap<byte[], byte[]> emptyMap() {
        return new TreeMap<>(Arrays::compareUnsigned);
    }

    TreeMap<byte[], byte[]> map(Group group) {
        return maps.computeIfAbsent(group, absent -> emptyMap());
    }

    void append(Group group, byte[] bytes) {
        byte[] before = lists.getOrDefault(group, new byte[0]);
        byte[] after = Arrays.copyOf(before, before.length + bytes.length);
        System.arraycopy(bytes, 0, after, before.length, bytes.length);
        lists.put(group, after);
    }
}
