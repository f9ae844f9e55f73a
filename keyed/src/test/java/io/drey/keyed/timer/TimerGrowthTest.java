package io.drey.keyed.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.memory.MemoryDirectory;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.entry.TableKind;
import io.drey.store.memory.SlotMemory;
import io.drey.store.schedule.StepBackground;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** What a timer set takes on the heap, by its own count, as the number of timers grows. */
class TimerGrowthTest {
    private static final int KEY_GROUPS = 128;
    private static final int CACHE = 1 << 12;

    /** Two longs and two ints of arrays that may be twice as large as what it holds. */
    private static final int BYTES_PER_BUCKET = 2 * 24;

    private final byte[] element = new byte[2 * Long.BYTES];
    private final Element at = new Element();
    private SplittableRandom random;

    private interface Times {
        long of(int i);
    }

    @Test
    void timersInOrderStayOutsideTheHeap() {
        grow(250_000, i -> i + random.nextInt(1_000));
    }

    @Test
    void timersInAnyOrderStayOutsideTheHeap() {
        grow(50_000, i -> random.nextInt(1 << 30));
    }

    @Test
    void timersOfOneTimeStayOutsideTheHeap() {
        grow(50_000, i -> 7);
    }

    private void grow(int timers, Times times) {
        random = new SplittableRandom(1);
        TimerLimits limits = TimerLimits.of(CACHE, KEY_GROUPS);
        try (SlotMemory memory = new SlotMemory(32 << 20, 16 << 10);
                Store store = Store.open(
                        StoreSettings.of(0, KEY_GROUPS - 1),
                        new StoreResources(new MemoryDirectory(), memory, new StepBackground()),
                        List.of())) {
            TimerStore timerStore = new TimerStore(store, "t", store.table("pq:t", TableKind.MAP));
            TimerSet set = new TimerSet(timerStore, limits, 0, KEY_GROUPS, new ReentrantLock());
            int weightMax = 0;
            for (int i = 0; i < timers; i++) {
                set.add(timer(times.of(i), i));
                weightMax = Math.max(weightMax, set.near().weight());
            }
            assertThat(weightMax).isLessThanOrEqualTo(limits.nearMax() + 1);
            assertThat(set.near().heapBytes()).isLessThan(1 << 20);
            long directoryBytes = (long) set.far().buckets() * BYTES_PER_BUCKET;
            assertThat(directoryBytes).isLessThan(4L * timers);
            long last = Long.MIN_VALUE;
            for (int i = 0; i < timers / 10; i++) {
                assertThat(set.settle()).isTrue();
                assertThat(set.first().rank()).isGreaterThanOrEqualTo(last);
                last = set.first().rank();
                set.removeFirst();
                weightMax = Math.max(weightMax, set.near().weight());
            }
            assertThat(weightMax).isLessThanOrEqualTo(limits.nearMax() + KEY_GROUPS * 2 * limits.bucketFill());
            assertThat(set.near().heapBytes()).isLessThan(1 << 20);
        }
    }

    private Element timer(long time, long key) {
        Element.putRank(time, element);
        for (int i = 0; i < Long.BYTES; i++) {
            element[Long.BYTES + i] = (byte) (key >>> (8 * i));
        }
        return at.at((int) ((key * 0x9E3779B97F4A7C15L) >>> 57), element, 0, element.length);
    }
}
