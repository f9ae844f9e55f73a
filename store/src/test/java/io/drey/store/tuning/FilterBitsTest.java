package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.filter.FilterLayout;
import io.drey.store.tuning.FilterBits.Measured;
import io.drey.store.tuning.FilterBits.Reason;
import org.junit.jupiter.api.Test;

/** Young runs share the memory for filters, large ones with fewer bits. */
final class FilterBitsTest {
    private static final int MAX = FilterLayout.BITS_TENTHS_MAX;
    private static final int MIN = FilterLayout.BITS_TENTHS_MIN;
    private static final long LEVEL = 100_000_000;

    private static Measured room(long bytes) {
        return new Measured((long) (0.45 * LEVEL), bytes, MAX, MIN);
    }

    @Test
    void whereAllFitEachRunHasAllBits() {
        for (long entries : new long[] {0, 1, 1_000, LEVEL / 4}) {
            assertThat(FilterBits.of(entries, room(60_000_000))).isEqualTo(new FilterBits(MAX, Reason.ALL_FIT));
        }
    }

    @Test
    void whereTheyDoNotLargerRunsHaveFewer() {
        int before = MAX;
        for (long entries = 10_000; entries <= LEVEL / 5; entries *= 2) {
            FilterBits bits = FilterBits.of(entries, room(25_000_000));
            assertThat(bits.reason()).isEqualTo(Reason.SHARED);
            assertThat(bits.tenths()).isBetween(MIN, before);
            before = bits.tenths();
        }
        assertThat(before).isLessThan(MAX / 2);
        assertThat(FilterBits.of(10_000, room(25_000_000)).tenths()).isEqualTo(MAX);
    }

    /** Sizes as they are before a major compaction: each run twice the one before it. */
    @Test
    void filtersOfAllYoungRunsTogetherFit() {
        for (long room : new long[] {5_000_000, 12_000_000, 25_000_000, 40_000_000}) {
            double bytes = 0;
            for (long entries = LEVEL / 5; entries > 1_000; entries /= 2) {
                bytes += entries * FilterBits.of(entries, room(room)).tenths() / 80.0;
            }
            assertThat(bytes).as("of %d bytes", room).isLessThanOrEqualTo(1.05 * room);
        }
    }

    @Test
    void withoutRoomOnlySmallRunsHaveAFilter() {
        assertThat(FilterBits.of(LEVEL / 5, room(-1))).isEqualTo(new FilterBits(0, Reason.TOO_LARGE));
        assertThat(FilterBits.of(LEVEL / 200, room(-1)).tenths()).isGreaterThan(MIN);
    }

    @Test
    void roomIsForTheEntriesThatThereWillBe() {
        assertThat(FilterBits.entriesAtMost(1_000, 10_000, 100_000)).isBetween(13_499L, 13_501L);
        assertThat(FilterBits.entriesAtMost(1_000, 10_000, 0)).isEqualTo(1_000);
        assertThat(FilterBits.entriesAtMost(0, 0, 100_000)).isZero();
    }

    @Test
    void aSmallRoomIsSharedByFewYoungRunsToo() {
        Measured growing = new Measured(10_000_000, 3_000_000, MAX, MIN);
        assertThat(FilterBits.of(5_000_000, growing).tenths()).isLessThan(MAX / 3);
        assertThat(FilterBits.of(5_000, growing).tenths()).isEqualTo(MAX);
    }
}
