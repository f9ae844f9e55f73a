package io.drey.store.run;

import io.drey.store.block.Compression;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Entries of a small world: few tables, key groups and keys, large and small maps, keys whose prefixes collide. */
public final class RandomEntries {
    private static final int[] TABLES = {0, 1, 2, 255, 256, 65535};
    private static final int[] KEY_GROUPS = {0, 1, 127, 128, 300, 65535};

    /** Tables with an even number hold maps, the others values and lists. */
    private static boolean isMap(int table) {
        return table % 2 == 0;
    }

    /** Rows of keys whose hashes have the same upper half: 2^16.5 keys make some. */
    private static final List<byte[]> COLLIDING = colliding();

    private static final int[] FILTER_BITS = {20, 33, 40, 69, 70, 105};

    private final Random random;
    private final int keys;
    private final int mapKeys;

    public RandomEntries(Random random) {
        this.random = random;
        this.keys = 1 + random.nextInt(random.nextBoolean() ? 4 : 60);
        this.mapKeys = 1 + random.nextInt(random.nextBoolean() ? 4 : 200);
    }

    /** A key of the world; its row's own one with some probability. */
    public EntryKey key() {
        int table = TABLES[random.nextInt(TABLES.length)];
        int number = random.nextInt(keys);
        byte[] key = number % 5 == 4
                ? COLLIDING.get(number / 5 % COLLIDING.size())
                : bytes("key" + number, number % 7 == 6 ? 70 : 0);
        byte[] namespace = bytes(number % 3 == 0 ? "" : "ns" + number % 2, 0);
        byte[] mapKey = null;
        if (isMap(table) && random.nextInt(8) != 0) {
            int map = random.nextInt(mapKeys);
            mapKey = bytes(map == 0 ? "" : "m" + map * 7919 % 1000, map % 11 == 10 ? 300 : 0);
        }
        // A key is always of one key group.
        return TestEntry.key(table, KEY_GROUPS[number % KEY_GROUPS.length], key, namespace, mapKey);
    }

    /** A random entry for a key, of a kind that its table can have. */
    public TestEntry entry(EntryKey key) {
        byte kind;
        if (isMap(key.table()) && !key.isMapEntry()) {
            kind = EntryKind.ROW_TOMBSTONE;
        } else {
            int choice = random.nextInt(10);
            kind = choice < 6 ? EntryKind.VALUE : choice < 8 ? EntryKind.APPEND : EntryKind.TOMBSTONE;
        }
        boolean hasValue = kind == EntryKind.VALUE || kind == EntryKind.APPEND;
        byte[] value = new byte[hasValue ? valueLength() : 0];
        if (random.nextBoolean()) {
            random.nextBytes(value);
            // Some are half of it the same: worth compressing by themselves.
            if (value.length % 3 == 0) {
                Arrays.fill(value, value.length / 2, value.length, (byte) 1);
            }
        }
        return new TestEntry(TestEntry.address(key), kind, value);
    }

    /** So many random entries or fewer, by key. */
    public TreeMap<TestEntry.Address, TestEntry> entries(int count) {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            TestEntry entry = entry(key());
            entries.put(entry.address(), entry);
        }
        // Nothing is below the entries of a row with a tombstone, so what was appended there is a value.
        entries.replaceAll((address, entry) -> {
            boolean isValue =
                    entry.kind() == EntryKind.APPEND && entries.containsKey(address.row()) && isMap(address.table());
            return isValue ? new TestEntry(address, EntryKind.VALUE, entry.value()) : entry;
        });
        return entries;
    }

    /** Options with tiny blocks and pages. */
    public RunOptions options() {
        return new RunOptions(
                        64 << random.nextInt(4),
                        64 << random.nextInt(4),
                        64 << random.nextInt(8),
                        Compression.values()[random.nextInt(3)])
                .withFilterOf(FILTER_BITS[random.nextInt(FILTER_BITS.length)]);
    }

    /** A prefix at or near one of the entries, or any. */
    public long prefix(TreeMap<TestEntry.Address, TestEntry> entries) {
        if (entries.isEmpty() || random.nextInt(10) == 0) {
            return random.nextLong();
        }
        TestEntry.Address near = entries.ceilingKey(TestEntry.address(key()));
        return (near == null ? entries.firstKey() : near).prefix() + random.nextInt(3) - 1;
    }

    private int valueLength() {
        int choice = random.nextInt(100);
        return choice < 80 ? random.nextInt(20) : choice < 98 ? random.nextInt(300) : random.nextInt(5000);
    }

    private static byte[] bytes(String text, int padding) {
        return (text + "x".repeat(padding)).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static List<byte[]> colliding() {
        Map<Integer, byte[]> seen = new HashMap<>();
        List<byte[]> colliding = new ArrayList<>();
        for (int i = 0; colliding.size() < 6; i++) {
            byte[] key = bytes("c" + i, 0);
            EntryKey entry = TestEntry.key(0, 0, key, bytes("ns1", 0), null);
            byte[] other = seen.put((int) (entry.rowHash() >>> 32), key);
            if (other != null) {
                colliding.add(other);
                colliding.add(key);
            }
        }
        return colliding;
    }
}
