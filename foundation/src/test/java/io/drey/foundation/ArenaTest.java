package io.drey.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ArenaTest {
    private static final long GB = 1L << 30;
    private static final int PAGES = 200;
    private static final int PAGE_BYTES = 64;
    private static final int SPAN = 10;

    @Test
    void largerPagesMakeUpMoreMemory() {
        assertThat(Arena.bytesMax(4 << 10)).isEqualTo(32 * GB);
        assertThat(Arena.bytesMax(64 << 10)).isEqualTo(32 * GB);
        assertThat(Arena.bytesMax(128 << 10)).isEqualTo(64 * GB);
        assertThat(Arena.bytesMax(1 << 20)).isEqualTo(512 * GB);
    }

    /** As the log does with small records, between those that are larger than a page. */
    @Test
    void pagesThatComeAndGoOneByOneLeaveRoomForSpans() {
        SplittableRandom random = new SplittableRandom(1);
        List<Long> single = new ArrayList<>();
        List<Long> spans = new ArrayList<>();
        try (Arena arena = new Arena(PAGES * PAGE_BYTES, PAGE_BYTES)) {
            while (single.size() < PAGES / 2) {
                single.add(arena.take(Arena.Use.LOG));
            }
            for (int i = 0; i < 10 * PAGES; i++) {
                arena.give(single.remove(random.nextInt(single.size())), Arena.Use.LOG);
                single.add(arena.take(Arena.Use.LOG));
            }
            for (int i = 0; i < PAGES / 2 / SPAN; i++) {
                spans.add(arena.takeSpan(SPAN, Arena.Use.LOG));
            }
            assertThat(spans).doesNotContain(Arena.FULL).doesNotHaveDuplicates();
            assertThat(arena.freePages()).isZero();
            assertThat(arena.take(Arena.Use.LOG)).isEqualTo(Arena.FULL);
            arena.giveSpan(spans.remove(1), SPAN, Arena.Use.LOG);
            assertThat(arena.takeSpan(SPAN + 1, Arena.Use.LOG)).isEqualTo(Arena.FULL);
            spans.add(arena.takeSpan(SPAN, Arena.Use.LOG));
            assertThat(spans).doesNotContain(Arena.FULL);
            single.forEach(page -> arena.give(page, Arena.Use.LOG));
            spans.forEach(span -> arena.giveSpan(span, SPAN, Arena.Use.LOG));
        }
    }

    @Test
    void moreMemoryThanItsPagesCanMakeUpIsRefusedWithAdvice() {
        assertThatThrownBy(() -> new Arena(32 * GB + (64 << 10), 64 << 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected at most " + 32 * GB + " bytes in pages of 65536 bytes")
                .hasMessageContaining("choose larger pages");
    }
}
