package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.DreyException;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.read.MapScan;
import io.drey.store.schedule.StepBackground;
import io.drey.store.tuning.PlacementLimits;
import io.drey.store.tuning.ReadThresholds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A walk over a map that fails at any of its reads holds nothing of the store when that closes. */
final class StoreScanFailureTest {
    private static final int PAGES = 400;
    private static final int RUNS = 2;

    /** Pages of indexes have room in the cache, and are held there while a walk stands in them. */
    private static final StoreSettings SETTINGS = new StoreSettings(
            0, 3, 128, 512, 2 << 10, 256, 3, ReadThresholds.of(0, 0, 0, new TickingClock(1)), PlacementLimits.SHIPPED);

    private static final int ENTRIES = 40;

    private final MemoryDirectory checkpoint = new MemoryDirectory();
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[24];

    private static SlotMemory memory() {
        return new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
    }

    /** A map that is spread over several runs. */
    private StoreImage written() throws Exception {
        MemoryDirectory files = new MemoryDirectory();
        StepBackground background = new StepBackground();
        try (SlotMemory memory = memory();
                Store store = Store.open(SETTINGS, new StoreResources(files, memory, background), List.of())) {
            int table = store.table("maps", TableKind.MAP);
            for (int run = 1; ; run++) {
                for (int entry = run; entry < ENTRIES; entry += RUNS) {
                    store.put(keys.mapEntry(table, 1, entry), value, 0, value.length);
                }
                try (StoreSnapshot snapshot = store.snapshot()) {
                    snapshot.await();
                    if (run == RUNS) {
                        copy(snapshot.image(), files, checkpoint);
                        return snapshot.image();
                    }
                }
            }
        }
    }

    private static void copy(StoreImage image, MemoryDirectory from, MemoryDirectory to) throws IOException {
        for (StoreImage.FileInfo file : image.files()) {
            ModelStores.copy(from, to, file.name());
        }
    }

    /** Whether the walk met the I/O that fails; all memory must be back afterwards. */
    private boolean fails(StoreImage image, int io) throws IOException {
        MemoryDirectory files = new MemoryDirectory();
        copy(image, checkpoint, files);
        FaultyDirectory disk = new FaultyDirectory(files);
        SlotMemory memory = memory();
        boolean failed = false;
        try (Store store =
                Store.open(SETTINGS, new StoreResources(disk, memory, new StepBackground()), List.of(image))) {
            int table = store.table("maps", TableKind.MAP);
            disk.failAt(io);
            MapScan scan = store.scanMap(keys.key(table, 1), null);
            while (scan.next()) {
                assertThat(scan.valueLength()).isEqualTo(value.length);
            }
        } catch (DreyException e) {
            assertThat(e).hasStackTraceContaining("injected fault");
            assertThat(e.getSuppressed()).as("closing of the store").isEmpty();
            failed = true;
        }
        assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        memory.close();
        return failed;
    }

    @Test
    void itHoldsNothingWhenAReadFails() throws Exception {
        StoreImage image = written();
        int ios = 0;
        while (fails(image, ios)) {
            ios++;
        }
        assertThat(ios).isGreaterThan(RUNS);
    }
}
