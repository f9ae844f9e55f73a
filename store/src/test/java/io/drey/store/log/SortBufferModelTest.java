package io.drey.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Sorts entries of all shapes, against a list. */
final class SortBufferModelTest {
    private static final int PAGE_BYTES = 1 << 10;

    private record Entry(long order, int record) {}

    @Test
    void sortsAsAListDoes() {
        Seeds.cases(300, seed -> run(new Random(seed)));
    }

    private static void run(Random random) {
        int count = random.nextInt(random.nextInt(10) == 0 ? 20_000 : 1_000);
        int tables = 1 + random.nextInt(3);
        int keyGroups = 1 + random.nextInt(200);
        int hashes = random.nextInt(4) == 0 ? 1 + random.nextInt(50) : Integer.MAX_VALUE;
        int shape = random.nextInt(4);
        List<Entry> expected = new ArrayList<>();
        try (Arena arena = new Arena((long) PAGE_BYTES * 1_000, PAGE_BYTES);
                SortBuffer sorted = new SortBuffer(arena, new Overdraft(1 << 20), (a, b) -> Integer.compare(b, a))) {
            for (int i = 0; i < count; i++) {
                long hash =
                        shape == 0 ? i : shape == 1 ? count - i : (random.nextInt(hashes) * 0x9e3779b1L) & 0xffffffffL;
                long order = ((long) random.nextInt(tables) << 62) | ((long) random.nextInt(keyGroups) << 32) | hash;
                sorted.add(order, i);
                expected.add(new Entry(order, i));
            }
            expected.sort(((Comparator<Entry>) (a, b) -> Long.compareUnsigned(a.order(), b.order()))
                    .thenComparing(Comparator.comparingInt(Entry::record).reversed()));
            sorted.sort();
            assertThat(sorted.size()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
                assertThat(sorted.record(i)).isEqualTo(expected.get(i).record());
            }
        }
    }
}
