package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.StepBackground;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A job may catch what an operation throws that could not read, as of a file that is far away, and go on. Then what it
 * was to change is changed or is not, and stays so.
 */
final class StoreReadFailureTest {
    private static final int PAGES = 90;
    private static final int OPERATIONS = 6_000;
    private static final int MAPS = 150;
    private static final int ENTRIES = 30;

    /** Too large for a map that is one record. */
    private static final int VALUE_BYTES = 120;

    private final FaultyDirectory disk = new FaultyDirectory(new MemoryDirectory());
    private final StepBackground background = new StepBackground();
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[VALUE_BYTES];
    private final List<TreeMap<Integer, Integer>> model = new ArrayList<>();
    private Store store;
    private int table;
    private int failed;

    @Test
    void aMapIsChangedOrNotByAnOperationThatFails() throws Exception {
        for (int seed = 0; seed < 10; seed++) {
            run(new Random(seed));
        }
        assertThat(failed).isGreaterThan(100);
    }

    private void run(Random random) throws Exception {
        model.clear();
        try (SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES)) {
            store = Store.open(ModelStores.settings(0, 3), new StoreResources(disk, memory, background), List.of());
            try {
                table = store.table("maps", TableKind.MAP);
                for (int map = 0; map < MAPS; map++) {
                    model.add(new TreeMap<>());
                }
                boolean goesOn = true;
                for (int i = 0; i < OPERATIONS && goesOn; i++) {
                    goesOn = goesOn(random);
                }
            } finally {
                disk.heal();
                store.close();
            }
        }
    }

    /** False if a job in the background failed, which is the store's end. */
    private boolean goesOn(Random random) throws Exception {
        try {
            step(random);
            return true;
        } catch (DreyException e) {
            if (!isOfJobs(e)) {
                throw e;
            }
            return false;
        }
    }

    private void step(Random random) throws Exception {
        int map = random.nextInt(MAPS);
        if (random.nextInt(60) == 0) {
            try (StoreSnapshot snapshot = store.snapshot()) {
                snapshot.await();
            }
        }
        for (int i = random.nextInt(30); i > 0 && background.step(); i--) {
            // Now and then all is done before the next operation.
        }
        if (random.nextInt(4) == 0) {
            assertThat(read(map)).isEqualTo(model.get(map));
        }
        boolean fails = random.nextInt(3) == 0;
        if (fails) {
            // What has ended in the background is installed before.
            store.get(keys.mapEntry(table, map, ENTRIES), new Bytes());
            disk.failReads(true);
        }
        TreeMap<Integer, Integer> after = new TreeMap<>(model.get(map));
        try {
            change(random, map, after);
            model.set(map, after);
        } catch (DreyException e) {
            assertThat(fails).isTrue();
            disk.heal();
            if (isOfJobs(e)) {
                throw e;
            }
            failed++;
            TreeMap<Integer, Integer> found = read(map);
            assertThat(found).isIn(model.get(map), after);
            model.set(map, found);
        } finally {
            disk.heal();
        }
    }

    private static boolean isOfJobs(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .flatMap(each -> Stream.of(each.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().equals(StoreJobs.class.getName()));
    }

    private void change(Random random, int map, TreeMap<Integer, Integer> after) {
        int entry = random.nextInt(ENTRIES);
        int choice = random.nextInt(100);
        if (choice < 75) {
            int number = random.nextInt();
            after.put(entry, number);
            ByteBuffer.wrap(value).putInt(0, number);
            store.put(keys.mapEntry(table, map, entry), value, 0, VALUE_BYTES);
        } else if (choice < 85) {
            after.remove(entry);
            store.delete(keys.mapEntry(table, map, entry));
        } else if (choice < 90) {
            after.clear();
            store.clearMap(keys.key(table, map));
        } else if (choice < 94) {
            store.isMapEmpty(keys.key(table, map));
        } else {
            store.get(keys.mapEntry(table, map, entry), new Bytes());
        }
    }

    private TreeMap<Integer, Integer> read(int map) {
        TreeMap<Integer, Integer> found = new TreeMap<>();
        MapScan scan = store.scanMap(keys.key(table, map), null);
        while (scan.next()) {
            ByteBuffer bytes = ByteBuffer.wrap(scan.bytes());
            found.put(bytes.getInt(scan.keyOffset()), bytes.getInt(scan.valueOffset()));
        }
        return found;
    }
}
