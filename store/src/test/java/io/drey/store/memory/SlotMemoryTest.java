package io.drey.store.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Arena;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.foundation.Scratch;
import io.drey.store.NumberedKeys;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.entry.TableKind;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SlotMemoryTest {
    private static final int MB = 1 << 20;
    private static final int PAGE_BYTES = 16 << 10;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    /** Borrows so much beside a slot of which no page is free. */
    private static void borrow(long slotBytes, int bytes) {
        try (SlotMemory memory = new SlotMemory(slotBytes, PAGE_BYTES);
                Scratch value = new Scratch(memory.arena(), memory.overdraft())) {
            int pages = memory.arena().pages();
            long all = memory.arena().takeSpan(pages, Arena.Use.CACHE);
            try {
                value.reserve(bytes);
                assertThat(memory.overdraft().bytes()).isEqualTo(bytes);
            } finally {
                memory.arena().giveSpan(all, pages, Arena.Use.CACHE);
            }
        }
    }

    @Test
    void singleValuesBorrowSixtyFourMegabytesOrAnEighthOfTheSlot() {
        borrow(MB, 64 * MB);
        borrow(640L * MB, 80 * MB);
        assertThatThrownBy(() -> borrow(MB, 64 * MB + 1))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("expected single values to borrow at most " + 64 * MB + " bytes beside");
        assertThatThrownBy(() -> borrow(640L * MB, 80 * MB + 1)).isInstanceOf(DreyException.class);
    }

    @Test
    void aValueThatIsTooLargeSaysSoAndTheStoreGoesOn() {
        try (SlotMemory memory = new SlotMemory(4 * MB, PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(StoreSettings.of(0, 0), resources, List.of())) {
                int table = store.table("values", TableKind.VALUE);
                byte[] value = new byte[70 * MB];
                store.put(keys.key(table, 1), value, 0, 20 * MB);
                assertThatThrownBy(() -> store.put(keys.key(table, 1), value, 0, value.length))
                        .isInstanceOf(DreyException.class)
                        .hasMessageContaining("cannot write a value of " + value.length + " bytes in table " + table)
                        .hasMessageContaining("make values smaller, or give the task more managed memory");
                assertThat(store.get(keys.key(table, 1), read)).isTrue();
                assertThat(read.length()).isEqualTo(20 * MB);
                store.put(keys.key(table, 2), value, 0, 10);
            }
            assertThat(memory.overdraft().bytes()).isZero();
        }
    }

    /** The shrink request of a store whose task has just ended fails, for one. */
    @Test
    void aStoreThatCannotOpenBecauseAnotherCannotShrinkLeavesTheOthersTheirShares() {
        try (SlotMemory memory = new SlotMemory(4 * MB, PAGE_BYTES)) {
            Runnable broken = () -> {
                throw new IllegalStateException("cannot shrink");
            };
            memory.join(broken);
            int pages = memory.pagesPerStore();
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            assertThatThrownBy(() -> Store.open(StoreSettings.of(0, 0), resources, List.of()))
                    .hasMessage("cannot shrink");
            assertThat(memory.stores()).isEqualTo(1);
            assertThat(memory.pagesPerStore()).isEqualTo(pages);
            memory.leave(broken);
        }
    }
}
