package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.fault.FaultyDirectory;
import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.DreyException;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store whose flush fails says why at its next operation, and takes no later flush for it. */
final class StoreFlushFailureTest {
    private static final int PAGES = 400;
    private static final int CHANGES_MAX = 1_000;

    private final MemoryDirectory files = new MemoryDirectory();
    private final FaultyDirectory disk = new FaultyDirectory(files);
    private final StepBackground background = new StepBackground();
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[24];

    private StoreSnapshot snapshotAfterChange(Store store, int table, int number) {
        store.put(keys.key(table, number), value, 0, value.length);
        return store.snapshot();
    }

    @Test
    void itSaysWhyAlsoIfTheNextFlushEndsWellBeforeAnybodyLooks() {
        SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
        StoreResources resources = new StoreResources(disk, memory, background);
        try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
            int table = store.table("values", TableKind.VALUE);
            StoreSnapshot first = snapshotAfterChange(store, table, 1);
            StoreSnapshot second = snapshotAfterChange(store, table, 2);
            disk.failAt(0);
            while (background.step()) {
                // The first flush fails, the second does not.
            }
            assertThatThrownBy(() -> store.put(keys.key(table, 3), value, 0, value.length))
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("injected fault");
            assertThatThrownBy(store::snapshot).isInstanceOf(DreyException.class);
            assertThat(store.stats().runs().count()).isZero();
            first.close();
            second.close();
        }
        assertThat(files.list()).isEmpty();
        assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        memory.close();
    }

    @Test
    void aStoreThatCannotInstallWhatAJobMadeTakesNothingMore() {
        SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
        StoreResources resources = new StoreResources(disk, memory, background);
        try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
            int table = store.table("values", TableKind.VALUE);
            disk.failDeletes(true);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < CHANGES_MAX; i++) {
                            snapshotAfterChange(store, table, i % 10).close();
                            while (background.step()) {
                                // A compaction comes in the end, whose inputs cannot be deleted.
                            }
                        }
                    })
                    .isInstanceOf(DreyException.class);
            assertThatThrownBy(store::snapshot)
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("has stopped");
            disk.failDeletes(false);
        }
        assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        memory.close();
    }
}
