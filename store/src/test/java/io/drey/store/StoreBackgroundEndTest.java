package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.DreyException;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.ThreadBackground;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Background threads that end leave no owner waiting: its store fails with the cause, and closes. */
final class StoreBackgroundEndTest {
    private static final int PAGES = 400;

    private final SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
    private final NumberedKeys keys = new NumberedKeys();
    private final byte[] value = new byte[24];

    @Test
    void aStoreWhoseThreadsWereClosedFailsAndCloses() throws Exception {
        ThreadBackground threads = new ThreadBackground(1);
        threads.close();
        failsAndCloses(threads, "found them closed");
    }

    @Test
    void aStoreWhoseThreadDiesFailsWithTheCauseAndCloses() throws Exception {
        try (ThreadBackground threads = new ThreadBackground(1)) {
            Background dying = (urgency, work) -> threads.submit(urgency, new Background.Work() {
                @Override
                public boolean step(int bytes) {
                    throw new OutOfMemoryError("no heap left");
                }

                @Override
                public void abandoned(Throwable cause) {
                    work.abandoned(cause);
                }
            });
            failsAndCloses(dying, "no heap left");
        }
    }

    private void failsAndCloses(Background background, String cause) throws Exception {
        StoreResources resources = new StoreResources(new MemoryDirectory(), memory, background);
        try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
            int table = store.table("values", TableKind.VALUE);
            assertThatThrownBy(() -> {
                        for (int number = 0; ; number++) {
                            store.put(keys.key(table, number & 3, number), value, 0, value.length);
                        }
                    })
                    .isInstanceOf(DreyException.class)
                    .hasMessageContaining(cause);
        }
        assertThat(memory.arena().freePages()).isEqualTo(PAGES);
        memory.close();
    }
}
