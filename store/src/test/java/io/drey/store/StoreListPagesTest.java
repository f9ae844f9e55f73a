package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records amid a list keep no page from being freed by moving what lives in it. */
final class StoreListPagesTest {
    private static final int PAGES = 300;
    private static final int APPENDS = 2_400;
    private static final byte[] ELEMENT = new byte[40];
    private static final byte[] VALUE = new byte[100];

    /** Dead values in a page beside a record of the list. */
    private static final int VALUES_PER_APPEND = 6;

    private final NumberedKeys keys = new NumberedKeys();
    private final Bytes read = new Bytes();

    @Test
    void aListThatGrowsAmongValuesThatDieIsMovedNotFlushed() {
        try (SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new StepBackground());
            try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
                int lists = store.table("lists", TableKind.LIST);
                int values = store.table("values", TableKind.VALUE);
                byte[] expected = new byte[APPENDS * ELEMENT.length];
                for (int i = 0; i < APPENDS; i++) {
                    Arrays.fill(ELEMENT, (byte) i);
                    System.arraycopy(ELEMENT, 0, expected, i * ELEMENT.length, ELEMENT.length);
                    store.append(keys.key(lists, i & 1), ELEMENT, 0, ELEMENT.length);
                    for (int number = 0; number < VALUES_PER_APPEND; number++) {
                        store.put(keys.key(values, number), VALUE, 0, VALUE.length);
                        store.delete(keys.key(values, number));
                    }
                }
                // Much more was written than there is memory, and a third of the memory lives.
                assertThat((long) APPENDS * VALUES_PER_APPEND * VALUE.length)
                        .isGreaterThan(memory.arena().bytes());
                assertThat(store.stats().jobs().flushes()).isZero();
                assertThat(store.stats().log().recordsCompacted()).isPositive();
                for (int list = 0; list < 2; list++) {
                    assertThat(store.get(keys.key(lists, list), read)).isTrue();
                    assertThat(read.length()).isEqualTo(expected.length / 2);
                    for (int i = 0; i < APPENDS / 2; i++) {
                        assertThat(read.array()[i * ELEMENT.length]).isEqualTo((byte) (2 * i + list));
                    }
                }
            }
        }
    }
}
