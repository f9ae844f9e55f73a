package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.foundation.DreyException;
import io.drey.store.block.BlockLayout;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lengths at which 32 bits overflow: asked for before any byte is looked at. */
final class StoreEntryLimitTest {
    private final NumberedKeys keys = new NumberedKeys();

    @Test
    void anEntryThatNoBlockCanHoldIsRefusedAndNothingIsWritten() {
        try (SlotMemory memory = new SlotMemory(1 << 20, 4 << 10)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(StoreSettings.of(0, 0), resources, List.of())) {
                EntryKey value = keys.key(store.table("v", TableKind.VALUE), 1);
                EntryKey list = keys.key(store.table("l", TableKind.LIST), 1);
                byte[] none = new byte[0];
                // The last one fits but for what a block has beside it.
                int[] lengths = {
                    Integer.MAX_VALUE, Integer.MAX_VALUE - 60_000, BlockLayout.RAW_BYTES_MAX - value.bodyLength()
                };
                for (int length : lengths) {
                    assertThatThrownBy(() -> store.put(value, none, 0, length))
                            .isInstanceOf(DreyException.class)
                            .hasMessageContaining("split the value");
                    assertThatThrownBy(() -> store.append(list, none, 0, length))
                            .isInstanceOf(DreyException.class);
                }
                assertThat(store.get(value, new Bytes())).isFalse();
                assertThat(store.stats().runs().young().count()).isZero();
            }
        }
    }
}
