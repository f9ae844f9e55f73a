package io.drey.store;

import com.sun.management.ThreadMXBean;
import io.drey.files.local.LocalDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.Hash;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.ThreadBackground;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/**
 * Prints the bytes of the heap that operations at the store's interface take, one a line: name, tab, bytes an
 * operation. A program of its own, because assertions, which tests run with, allocate: they look up which memory may be
 * touched.
 */
final class HotPathAllocations implements AutoCloseable {
    private static final int PAGE_BYTES = 16 << 10;
    private static final int LARGE_MEMORY_BYTES = 64 << 20;
    private static final int SMALL_MEMORY_BYTES = 4 << 20;
    private static final int KEYS = 20_000;
    private static final int OPERATIONS = 100_000;

    /** After which reads should begin no more compactions. */
    private static final int ROUNDS_MAX = 20;

    private static final int VALUE_BYTES = 40;
    private static final int GROWN_BYTES_MAX = 800;
    private static final int MAP_ENTRIES = 20;
    private static final int MAPS = KEYS / MAP_ENTRIES;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final EntryKey key = new EntryKey();
    private final byte[] keyBytes = new byte[Long.BYTES];
    private final ByteBuffer keyBuffer = ByteBuffer.wrap(keyBytes);
    private final byte[] mapKey = new byte[Integer.BYTES];
    private final ByteBuffer mapKeyBuffer = ByteBuffer.wrap(mapKey);
    private final byte[] none = new byte[0];
    private final byte[] value = new byte[VALUE_BYTES];
    private final byte[] grown = new byte[GROWN_BYTES_MAX];
    private final Bytes read = new Bytes();
    private final SlotMemory memory;
    private final ThreadBackground background;
    private final Store store;
    private final int values;
    private final int lists;
    private final int maps;
    private int next = KEYS;
    private Background.Job lastJob;

    private HotPathAllocations(Path folder, int memoryBytes) throws IOException {
        memory = new SlotMemory(memoryBytes, PAGE_BYTES);
        background = new ThreadBackground(1);
        StoreResources resources = new StoreResources(LocalDirectory.at(folder), memory, this::submit);
        store = Store.open(StoreSettings.of(0, 127), resources, List.of());
        values = store.table("values", TableKind.VALUE);
        lists = store.table("lists", TableKind.LIST);
        maps = store.table("maps", TableKind.MAP);
    }

    private Background.Job submit(Background.Urgency urgency, Background.Work work) {
        lastJob = background.submit(urgency, work);
        return lastJob;
    }

    /** Measures in the folder that the one argument names. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        try (HotPathAllocations values = new HotPathAllocations(folder, LARGE_MEMORY_BYTES)) {
            values.valuesInMemory();
        }
        try (HotPathAllocations others = new HotPathAllocations(folder, LARGE_MEMORY_BYTES)) {
            others.listsInMemory();
            others.mapsInMemory();
        }
        try (HotPathAllocations runs = new HotPathAllocations(folder, SMALL_MEMORY_BYTES)) {
            runs.valuesInRuns();
        }
    }

    @Override
    public void close() {
        store.close();
        background.close();
        memory.close();
    }

    private EntryKey address(int table, int number) {
        keyBuffer.putLong(0, Hash.mix(number + 1, 99));
        return key.row(table, number & 127, keyBytes, keyBytes.length, none, 0);
    }

    private EntryKey entry(int number) {
        mapKeyBuffer.putInt(0, number % MAP_ENTRIES);
        return address(maps, number / MAP_ENTRIES).mapKey(mapKey, 0, mapKey.length);
    }

    private void put(int number) {
        value[0] = (byte) number;
        store.put(address(values, number), value, 0, VALUE_BYTES);
    }

    private void expect(boolean expected, boolean found) {
        if (expected != found) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    /** After as many operations that warm it up. */
    private static void measure(String name, IntConsumer operation) {
        allocated(operation);
        print(name, allocated(operation));
    }

    /**
     * The same where a compaction may go on, which reads began: in the first round without one, after another without
     * one, in which what the last one wrote was installed.
     */
    private void measureReads(String name, IntConsumer operation) {
        long bytes = allocated(operation);
        int quiet = 0;
        for (int round = 0; quiet < 2 && round < ROUNDS_MAX; round++) {
            Background.Job before = lastJob;
            boolean isDone = before.isDone();
            bytes = allocated(operation);
            quiet = isDone && lastJob == before ? quiet + 1 : 0;
        }
        print(name, bytes);
    }

    private static long allocated(IntConsumer operation) {
        long thread = Thread.currentThread().getId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        for (int i = 0; i < OPERATIONS; i++) {
            operation.accept(i);
        }
        return THREADS.getThreadAllocatedBytes(thread) - before;
    }

    private static void print(String name, long bytes) {
        System.out.printf(Locale.ROOT, "%s\t%.2f%n", name, (double) bytes / OPERATIONS);
    }

    private void valuesInMemory() {
        for (int i = 0; i < KEYS; i++) {
            put(i);
        }
        measure("get", i -> expect(true, store.get(address(values, i % KEYS), read)));
        measure("get of what is not there", i -> expect(false, store.get(address(values, KEYS + i), read)));
        measure("put in place", i -> put(i % KEYS));
        measure("read, modify, write", i -> {
            expect(true, store.get(address(values, i % KEYS), read));
            store.put(key, read.array(), 0, read.length());
        });
        measure("put of a new key", i -> put(next++));
        measure("put and delete", i -> {
            put(next);
            store.delete(address(values, next++));
        });
        measure("delete of what is not there", i -> store.delete(address(values, -2 - i)));
        measure("put, after a snapshot", i -> {
            if (i == 0) {
                store.snapshot().close();
            }
            put(i % KEYS);
        });
        measure("put of a value that outgrows its record", i -> {
            int length = GROWN_BYTES_MAX - (OPERATIONS - i) % GROWN_BYTES_MAX / 2;
            store.put(address(values, i % KEYS), grown, 0, length);
        });
        expect(true, store.stats().log().recordsCompacted() > 0);
    }

    private void listsInMemory() {
        measure("append", i -> store.append(address(lists, i % KEYS), value, 0, Long.BYTES));
        measure("get of a list", i -> expect(true, store.get(address(lists, i % KEYS), read)));
        measure("append and clear", i -> {
            store.append(address(lists, KEYS + i), value, 0, Long.BYTES);
            store.delete(key);
        });
    }

    private void mapsInMemory() {
        for (int i = 0; i < KEYS; i++) {
            store.put(entry(i), value, 0, VALUE_BYTES);
        }
        measure("get of an entry", i -> expect(true, store.get(entry(i % KEYS), read)));
        measure("put of an entry", i -> store.put(entry(i % KEYS), value, 0, VALUE_BYTES));
        measure("emptiness of a map with entries", i -> expect(false, store.isMapEmpty(address(maps, i % MAPS))));
        measure("emptiness of an empty map", i -> expect(true, store.isMapEmpty(address(maps, MAPS + i))));
        measure("put and delete of an entry", i -> {
            store.put(entry(KEYS + i), value, 0, VALUE_BYTES);
            store.delete(key);
        });
        measure("scan of a map", i -> scan(i % MAPS));
    }

    private void scan(int map) {
        MapScan scan = store.scanMap(address(maps, map), null);
        int found = 0;
        while (scan.next()) {
            found += scan.valueLength() == VALUE_BYTES ? 1 : 0;
        }
        expect(true, found == MAP_ENTRIES);
    }

    private void valuesInRuns() throws Exception {
        int keys = 10 * KEYS;
        for (int i = 0; i < keys; i++) {
            put(i);
        }
        try (StoreSnapshot snapshot = store.snapshot()) {
            snapshot.await();
        }
        measureReads("cold get", i -> expect(true, store.get(address(values, i * 7 % keys), read)));
        measureReads("cold get of what is not there", i -> expect(false, store.get(address(values, keys + i), read)));
        if (store.stats().io().foreground().reads() == 0) {
            throw new AssertionError("expected reads of files, found " + store.stats());
        }
    }
}
