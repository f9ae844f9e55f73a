package io.drey.store.memory;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import org.junit.jupiter.api.Test;

/** A slot for too many stores says what they need. */
class LeastMemoryTest {
    private static final int PAGE_BYTES = 64 << 10;
    private static final int BLOCK_BYTES = 2 << 10;

    /** Of 32 pages each. */
    private static final int STORES_MAX = 4;

    @Test
    void oneStoreTooManyIsToldWhatEachFurtherOneNeeds() {
        int pages = STORES_MAX * LeastMemory.pages(PAGE_BYTES, BLOCK_BYTES);
        try (SlotMemory memory = new SlotMemory((long) pages * PAGE_BYTES, PAGE_BYTES)) {
            for (int i = 0; i < STORES_MAX; i++) {
                memory.join(() -> {});
                assertThatCode(() -> LeastMemory.check(memory, BLOCK_BYTES)).doesNotThrowAnyException();
            }
            memory.join(() -> {});
            assertThatThrownBy(() -> LeastMemory.check(memory, BLOCK_BYTES))
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining("give the slot 10485760 bytes of managed memory or more, and 2097152 for each"
                            + " operator with state that has not opened its store yet")
                    .hasMessageContaining("memory.page-size");
        }
    }
}
