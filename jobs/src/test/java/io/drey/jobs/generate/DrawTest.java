package io.drey.jobs.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random numbers as a function of seed and position. */
class DrawTest {
    private static final long SEED = 42;
    private static final int DRAWS = 200_000;

    @Test
    void numbersBelowABoundAreEquallyFrequent() {
        int[] counts = new int[7];
        for (int position = 0; position < DRAWS; position++) {
            counts[(int) Draw.below(Draw.bits(SEED, position), counts.length)]++;
        }
        for (int count : counts) {
            assertThat(count).isCloseTo(DRAWS / counts.length, Percentage.withPercentage(3));
        }
    }

    @Test
    void numbersBelowABoundReachBothEndsAndNoFurther() {
        assertThat(Draw.below(0, 10)).isZero();
        assertThat(Draw.below(-1, 10)).isEqualTo(9);
        assertThat(Draw.below(-1, 1)).isZero();
        assertThat(Draw.below(-1, 1L << 61)).isEqualTo((1L << 61) - 1);
    }

    @Test
    void differentPurposesSeedsAndPositionsDrawIndependently() {
        Set<Long> seen = new HashSet<>();
        for (int seed = 0; seed < 10; seed++) {
            for (int position = 0; position < 100; position++) {
                for (int purpose = 0; purpose < 5; purpose++) {
                    seen.add(Draw.bits(seed, position, purpose));
                }
            }
        }
        assertThat(seen).hasSize(10 * 100 * 5);
    }

    @Test
    void ranksFollowZipfsLaw() {
        int keys = 1_000;
        KeyDraw draw = new KeyDraw(SEED, KeySkew.ZIPF, keys);
        int[] counts = new int[keys];
        for (int position = 0; position < DRAWS; position++) {
            counts[(int) draw.rank(position)]++;
        }
        double all = 0;
        for (int rank = 1; rank <= keys; rank++) {
            all += Math.pow(rank, -0.99);
        }
        for (int rank : new int[] {1, 2, 3, 10, 30}) {
            double expected = DRAWS * Math.pow(rank, -0.99) / all;
            assertThat((double) counts[rank - 1]).isCloseTo(expected, Percentage.withPercentage(6));
        }
        int tail = 0;
        for (int rank = 500; rank < keys; rank++) {
            tail += counts[rank];
        }
        assertThat((double) tail / DRAWS).isCloseTo(1 - draw.shareBelow(500), Percentage.withPercentage(5));
    }

    @Test
    void uniformRanksAreEquallyFrequent() {
        KeyDraw draw = new KeyDraw(SEED, KeySkew.UNIFORM, 1_000);
        int low = 0;
        for (int position = 0; position < DRAWS; position++) {
            low += draw.rank(position) < 100 ? 1 : 0;
        }
        assertThat((double) low / DRAWS).isCloseTo(draw.shareBelow(100), Percentage.withPercentage(3));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 10, 997, 1_000, 4_096})
    void everyKeyHasOneRank(long keys) {
        KeyDraw draw = new KeyDraw(SEED, KeySkew.ZIPF, keys);
        Set<Long> spread = new HashSet<>();
        for (long rank = 0; rank < keys; rank++) {
            assertThat(draw.spread(rank)).isBetween(0L, keys - 1);
            spread.add(draw.spread(rank));
        }
        assertThat(spread).hasSize((int) keys);
        for (int position = 0; position < 10_000; position++) {
            assertThat(draw.key(position)).isBetween(0L, keys - 1);
        }
    }

    @Test
    void theMostKeysStayInRangeWithoutOverflow() {
        KeyDraw draw = new KeyDraw(SEED, KeySkew.ZIPF, LoadSettings.ALIVE_MAX);
        for (int position = 0; position < 10_000; position++) {
            assertThat(draw.key(position)).isBetween(0L, LoadSettings.ALIVE_MAX - 1);
        }
    }
}
