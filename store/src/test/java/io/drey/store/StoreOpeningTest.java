package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.DreyException;
import io.drey.store.memory.LeastMemory;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreOpeningTest {
    private static final int PAGES = 400;

    /** Too small for a page of a filter or an index. */
    private static final int PAGE_BYTES = 8;

    @Test
    void aStoreWithoutTheLeastMemoryIsRefusedWithAdvice() {
        int least = LeastMemory.pages(ModelStores.PAGE_BYTES, 128);
        int pages = 2 * least - 1;
        try (SlotMemory memory = new SlotMemory((long) pages * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
                assertThatThrownBy(() -> Store.open(ModelStores.settings(0, 3), resources, List.of()))
                        .isInstanceOf(DreyException.class)
                        .hasMessageContaining("expected at least " + least + " pages of 1024 bytes")
                        .hasMessageContaining("each of the 2 stores of a slot, found " + (least - 1))
                        .hasMessageContaining("give the slot " + 2 * least * ModelStores.PAGE_BYTES + " bytes");
                assertThat(memory.pagesPerStore()).isEqualTo(pages);
                store.shrink();
            }
        }
    }

    @Test
    void aStoreThatCannotBeMadeLeavesTheMemoryToTheOthers() {
        StoreSettings impossible = new StoreSettings(0, 3, 128, PAGE_BYTES, 2 << 10, 256, 3);
        try (SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
                assertThatThrownBy(() -> Store.open(impossible, resources, List.of()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("page and buffer");
                assertThat(memory.pagesPerStore()).isEqualTo(PAGES);
                store.shrink();
            }
        }
    }
}
