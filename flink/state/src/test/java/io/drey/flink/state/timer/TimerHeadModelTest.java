package io.drey.flink.state.timer;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.files.MemoryDirectory;
import io.drey.store.MapScan;
import io.drey.store.SlotMemory;
import io.drey.store.Store;
import io.drey.store.StoreResources;
import io.drey.store.StoreSettings;
import io.drey.store.entry.TableKind;
import io.drey.store.schedule.StepBackground;
import io.drey.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The cache of next timers against a sorted set, with caches of a few elements, so that it overflows and drains often. */
class TimerHeadModelTest {
    private static final long OPERATIONS = 60_000;
    private static final int OPERATIONS_PER_CASE = 400;

    @Test
    void behavesLikeASortedSet() {
        Seeds.operations(OPERATIONS, this::runCase);
    }

    private long runCase(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        StepBackground background = new StepBackground();
        try (SlotMemory memory = new SlotMemory(4 << 20, 16 << 10);
                Store store = Store.open(
                        StoreSettings.of(0, 1),
                        new StoreResources(new MemoryDirectory(), memory, background),
                        List.of())) {
            int table = store.table("pq:timers", TableKind.MAP);
            TimerStore timers = new TimerStore(store, table, 1);
            TimerHead head = new TimerHead(timers, 1 + random.nextInt(6));
            TreeSet<byte[]> model = new TreeSet<>(Arrays::compareUnsigned);
            int range = 4 + random.nextInt(60);
            for (int i = 0; i < OPERATIONS_PER_CASE; i++) {
                step(random, head, model, range);
                assertThat(head.first())
                        .as("first after operation %s", i)
                        .isEqualTo(model.isEmpty() ? null : model.first());
                if (random.nextInt(50) == 0) {
                    background.step();
                    head = new TimerHead(timers, 1 + random.nextInt(6));
                }
            }
            check(timers, head, model);
        }
        return OPERATIONS_PER_CASE;
    }

    private static void step(SplittableRandom random, TimerHead head, TreeSet<byte[]> model, int range) {
        byte[] element = {(byte) random.nextInt(2), (byte) random.nextInt(range)};
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                head.add(element);
                model.add(element);
            }
            case 2 -> {
                head.remove(element);
                model.remove(element);
            }
            case 3 -> assertThat(head.size()).isEqualTo(model.size());
            default -> {
                byte[] first = head.first();
                if (first != null) {
                    head.remove(first);
                    model.remove(first);
                }
            }
        }
    }

    private static void check(TimerStore timers, TimerHead head, TreeSet<byte[]> model) {
        assertThat(head.size()).isEqualTo(model.size());
        MapScan scan = timers.scan(null);
        for (byte[] element : model) {
            assertThat(scan.next()).isTrue();
            assertThat(Arrays.copyOfRange(scan.bytes(), scan.keyOffset(), scan.keyOffset() + scan.keyLength()))
                    .isEqualTo(element);
        }
        assertThat(scan.next()).isFalse();
    }
}
