package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PagePartsTest {
    private static final int PAGE_BYTES = 1024;
    private static final int PAGES = 4;
    private static final int PARTS_OF_A_PAGE = 16;

    private final Overdraft overdraft = new Overdraft(1 << 20);

    @Test
    void smallThingsShareAPage() {
        try (Arena arena = new Arena(PAGES * PAGE_BYTES, PAGE_BYTES)) {
            PageParts parts = new PageParts(arena, overdraft, Arena.Use.METADATA);
            List<PagedBytes> all = new ArrayList<>();
            for (int i = 0; i < PARTS_OF_A_PAGE + 1; i++) {
                PagedBytes each = new PagedBytes(parts);
                each.appendLong(i);
                all.add(each);
                assertThat(arena.usedBytes(Arena.Use.METADATA))
                        .isEqualTo(i < PARTS_OF_A_PAGE ? PAGE_BYTES : 2 * PAGE_BYTES);
            }
            for (int i = 0; i < all.size(); i++) {
                assertThat(all.get(i).getLong(0)).isEqualTo(i);
            }
            all.forEach(PagedBytes::close);
            assertThat(arena.freePages()).isEqualTo(PAGES);
        }
    }

    @Test
    void noPartIsTakenTwiceAndNoEmptyPageIsKept() {
        SplittableRandom random = new SplittableRandom(1);
        try (Arena arena = new Arena(PAGES * PAGE_BYTES, PAGE_BYTES)) {
            PageParts parts = new PageParts(arena, overdraft, Arena.Use.SCRATCH);
            List<Long> taken = new ArrayList<>();
            for (int i = 0; i < 20_000; i++) {
                boolean grows = (i / 200) % 2 == 0;
                if (taken.isEmpty() || random.nextInt(4) < (grows ? 3 : 1)) {
                    long address = parts.take();
                    Memory.putLong(address, address);
                    Memory.putLong(address + parts.partBytes() - 8, ~address);
                    taken.add(address);
                } else {
                    long address = taken.remove(random.nextInt(taken.size()));
                    assertThat(Memory.getLong(address)).isEqualTo(address);
                    assertThat(Memory.getLong(address + parts.partBytes() - 8)).isEqualTo(~address);
                    parts.give(address);
                }
                long used = arena.usedBytes(Arena.Use.SCRATCH) + overdraft.bytes();
                assertThat(used).isBetween((long) taken.size() * parts.partBytes(), (long) taken.size() * PAGE_BYTES);
            }
            taken.forEach(parts::give);
            assertThat(arena.freePages()).isEqualTo(PAGES);
            assertThat(overdraft.bytes()).isZero();
        }
    }
}
