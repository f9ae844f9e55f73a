package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the rules that ship for separated values cost in space and in bytes written, by how long values live. {@code
 * store.md} has the table.
 */
final class ValueLogSimulationTest {
    private static final int ALIVE = 20_000;

    /**
     * Values written while a major compaction or the emptying of logs lasts, as a part of those alive: {@code
     * CompactionPace}.
     */
    private static final double MAJOR_PART = 0.05;

    /** How long values live, in values written, so that about {@link #ALIVE} are alive. */
    private enum Lifetimes {
        FIXED,
        MIXED,
        EXPONENTIAL,
        HEAVY_TAIL;

        LongUnaryOperator sample(SplittableRandom random) {
            return switch (this) {
                case FIXED -> number -> ALIVE;
                case MIXED -> number -> random.nextInt(5) < 4 ? ALIVE / 4 : 4 * ALIVE;
                case EXPONENTIAL -> number -> (long) (-Math.log(1 - random.nextDouble()) * ALIVE);
                case HEAVY_TAIL -> number -> (long) (ALIVE / 4.0 * (Math.pow(1 - random.nextDouble(), -1 / 1.2) - 1));
            };
        }
    }

    /** Each flush is a thousandth of what lives. */
    @ParameterizedTest
    @CsvSource({"FIXED, 2.6", "MIXED, 3.6", "EXPONENTIAL, 4.5", "HEAVY_TAIL, 5.0"})
    void logsOfManySmallFlushesAreFew(Lifetimes lifetimes, double writesMax) {
        SizedLogs logs = new SizedLogs(CompactionLimits.of(8, 64_000), ALIVE / 1_000, MAJOR_PART);
        LongUnaryOperator lifetime = lifetimes.sample(new SplittableRandom(1));
        logs.write(3L * ALIVE, lifetime);
        logs.forget();
        logs.write(6L * ALIVE, lifetime);
        assertThat(logs.countMax()).as(lifetimes + ", logs").isLessThanOrEqualTo(2 * SizedLogs.LOGS_MAX);
        assertThat(logs.writeAmplification()).as(lifetimes + ", writes").isLessThanOrEqualTo(writesMax);
    }

    /** Values in percent of those alive that are flushed at once. */
    @ParameterizedTest
    @CsvSource({
        "FIXED, 5, 1.25, 1.4",
        "FIXED, 2, 1.25, 1.4",
        "MIXED, 5, 1.4, 1.7",
        "MIXED, 2, 1.4, 1.7",
        "EXPONENTIAL, 5, 1.4, 3.4",
        "EXPONENTIAL, 2, 1.4, 3.4",
        "HEAVY_TAIL, 5, 1.4, 4.0",
        "HEAVY_TAIL, 2, 1.4, 4.0"
    })
    void spaceAndWritesStayWithinBounds(Lifetimes lifetimes, int flushPercent, double spaceMax, double writesMax) {
        SizedLogs logs = new SizedLogs(CompactionLimits.of(8, 64_000), ALIVE * flushPercent / 100, MAJOR_PART);
        LongUnaryOperator lifetime = lifetimes.sample(new SplittableRandom(1));
        logs.write(20L * ALIVE, lifetime);
        logs.forget();
        logs.write(40L * ALIVE, lifetime);
        String seen = lifetimes + ", flushes of " + flushPercent + " %: space " + logs.space() + ", at most "
                + logs.spaceMax() + ", writes " + logs.writeAmplification();
        assertThat(logs.space()).as(seen).isLessThanOrEqualTo(spaceMax);
        assertThat(logs.writeAmplification()).as(seen).isLessThanOrEqualTo(writesMax);
    }
}
