package io.drey.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.foundation.Bytes;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.Background;
import io.drey.store.schedule.ThreadBackground;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * On one background thread, a store whose log is full waits for its flush, not for the compaction that is under way.
 */
final class StoreFlushWaitTest {
    private static final int WRITES_MAX = 2_000_000;
    private static final int PAGES = 400;
    private static final int KEYS = 3_000;

    private final AtomicInteger unfinishedCompactions = new AtomicInteger();
    private final AtomicInteger flushesAmidCompactions = new AtomicInteger();

    /** The same background, which counts the flushes that end between two steps of a compaction. */
    private final class Watched implements Background {
        private final Background inner;

        Watched(Background inner) {
            this.inner = inner;
        }

        @Override
        public Job submit(Urgency urgency, Work work) {
            return inner.submit(urgency, urgency == Urgency.COMPACTION ? compaction(work) : flush(work));
        }

        private Work compaction(Work work) {
            boolean[] begun = new boolean[1];
            return bytes -> {
                if (!begun[0]) {
                    begun[0] = true;
                    unfinishedCompactions.incrementAndGet();
                }
                boolean more = work.step(1 << 10);
                if (!more) {
                    unfinishedCompactions.decrementAndGet();
                }
                return more;
            };
        }

        private Work flush(Work work) {
            return bytes -> {
                boolean more = work.step(bytes);
                if (!more && unfinishedCompactions.get() > 0) {
                    flushesAmidCompactions.incrementAndGet();
                }
                return more;
            };
        }
    }

    @Test
    void aFlushEndsWhileACompactionIsUnderWay() throws Exception {
        try (SlotMemory memory = new SlotMemory((long) PAGES * ModelStores.PAGE_BYTES, ModelStores.PAGE_BYTES);
                ThreadBackground threads = new ThreadBackground(1)) {
            StoreResources resources = new StoreResources(new MemoryDirectory(), memory, new Watched(threads));
            try (Store store = Store.open(ModelStores.settings(0, 3), resources, List.of())) {
                int table = store.table("values", TableKind.VALUE);
                EntryKey key = new EntryKey();
                byte[] value = new byte[40];
                for (int i = 0; i < WRITES_MAX && flushesAmidCompactions.get() < 3; i++) {
                    Bytes name = new Bytes();
                    byte[] text = Integer.toString(i % KEYS).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
                    name.append(text, 0, text.length);
                    store.put(key.row(table, i & 3, name, new Bytes()), value, 0, value.length);
                }
            }
        }
        assertThat(flushesAmidCompactions.get()).isGreaterThanOrEqualTo(3);
    }
}
