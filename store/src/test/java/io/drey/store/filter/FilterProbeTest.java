package io.drey.store.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Several filters asked at once against each asked alone. */
class FilterProbeTest {
    private static final int PAGES = 40;
    private static final int HASHES_PER_PAGE = 200;
    private static final int PAGE_BYTES = 512;

    private final int[] bits = {20, 33, 40, 66, 70, FilterLayout.BITS_TENTHS_MAX};
    private final SplittableRandom random = new SplittableRandom(1);
    private final Arena arena = new Arena(1 << 20, PAGE_BYTES);
    private final Overdraft overdraft = new Overdraft(1 << 20);

    /** The hashes of the pages of one builder each. */
    private final List<Set<Long>> held = new ArrayList<>();

    private final List<FilterBuilder> pages = new ArrayList<>();

    @Test
    void allPagesAtOnceAnswerWhatEachOfThemDoes() {
        try (arena) {
            for (int i = 0; i < PAGES; i++) {
                build();
            }
            FilterProbe probe = new FilterProbe();
            int passed = 0;
            for (int i = 0; i < 20_000; i++) {
                int from = random.nextInt(PAGES);
                int to = from + random.nextInt(PAGES - from + 1);
                boolean isThere = to > from && random.nextInt(10) == 0;
                long hash = isThere ? held.get(to - 1).iterator().next() : random.nextLong();
                probe.begin(hash);
                boolean isKnown = random.nextInt(4) > 0;
                if (!isKnown) {
                    probe.addUnknown();
                }
                probe.addOutside();
                for (FilterBuilder page : pages.subList(from, to)) {
                    probe.add(page.address(), page.length());
                }
                probe.ask();
                boolean passes = check(probe, isKnown ? 0 : 1, pages.subList(from, to), hash);
                assertThat(probe.passes()).isEqualTo(passes);
                assertThat(probe.hasUnknown()).isEqualTo(!isKnown);
                assertThat(isKnown || probe.mayHold(0)).isTrue();
                assertThat(passes || !isThere).isTrue();
                passed += passes && !isThere ? 1 : 0;
            }
            assertThat(passed).isBetween(1, 20_000 / 2);
            pages.forEach(FilterBuilder::close);
        }
    }

    /** Whether some page, the first of which is behind a place outside, may hold a hash. */
    private static boolean check(FilterProbe probe, int outside, List<FilterBuilder> asked, long hash) {
        assertThat(probe.mayHold(outside)).isFalse();
        assertThat(probe.isAbsent(outside)).isFalse();
        boolean passes = false;
        int place = outside;
        for (FilterBuilder page : asked) {
            boolean mayHold = FilterLayout.mayHold(page.address(), page.length(), hash);
            place++;
            assertThat(probe.mayHold(place)).isEqualTo(mayHold);
            assertThat(probe.isAbsent(place)).isEqualTo(!mayHold);
            passes |= mayHold;
        }
        return passes;
    }

    private void build() {
        FilterBuilder builder = new FilterBuilder(arena, overdraft, PAGE_BYTES, bits[random.nextInt(bits.length)]);
        Set<Long> hashes = new HashSet<>();
        for (int i = 1 + random.nextInt(HASHES_PER_PAGE); i > 0; i--) {
            long hash = random.nextLong();
            builder.add(hash);
            hashes.add(hash);
        }
        builder.finishBlock();
        builder.build(1);
        held.add(hashes);
        pages.add(builder);
    }
}
