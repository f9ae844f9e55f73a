package io.drey.store.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.drey.store.entry.TableKind;
import io.drey.store.entry.Tables;
import io.drey.store.tuning.ValuePlacement.Costs;
import org.junit.jupiter.api.Test;

class ValuePlacementTest {
    private static final PlacementLimits LIMITS = PlacementLimits.SHIPPED;
    private static final long MANY = 1_000_000_000L;

    private static int threshold(
            double readsPerValue, double readMicros, double rewrites, double compactionNanosPerByte) {
        long values = 1_000_000;
        return ValuePlacement.threshold(
                values,
                values * readsPerValue,
                new Costs(
                        values,
                        (long) (values * readMicros * 1000),
                        100 * MANY,
                        (long) (100 * MANY * rewrites),
                        (long) (100 * MANY * rewrites),
                        (long) (100 * MANY * rewrites * compactionNanosPerByte)),
                LIMITS);
    }

    @Test
    void startsWhereTheLimitsSay() {
        assertThat(ValuePlacement.threshold(0, 0, new Costs(0, 0, 0, 0, 0, 0), LIMITS))
                .isEqualTo(LIMITS.bytesStart());
    }

    @Test
    void valuesThatAreNeverReadAreSeparatedFromTheSmallestSizeOn() {
        assertThat(threshold(0, 20, 4, 10)).isEqualTo(LIMITS.bytesMin());
    }

    @Test
    void isWhereAReadCostsAsMuchAsTheCompactions() {
        assertThat(threshold(1, 40, 4, 10)).isBetween(990, 1010);
        assertThat(threshold(1, 40, 8, 10)).isBetween(495, 505);
    }

    @Test
    void onlyHugeValuesAreSeparatedWhereTheDiskIsSlow() {
        assertThat(threshold(1, 4000, 4, 10)).isEqualTo(ValuePlacement.ALWAYS);
        assertThat(threshold(1, 400_000, 4, 10)).isEqualTo(ValuePlacement.ALWAYS);
    }

    @Test
    void slowCompactionsLowerItAndSlowReadsRaiseIt() {
        assertThat(threshold(0.5, 40, 4, 20)).isLessThan(threshold(0.5, 40, 4, 10));
        assertThat(threshold(0.5, 80, 4, 10)).isGreaterThan(threshold(0.5, 40, 4, 10));
    }

    @Test
    void whatIsNotCompactedYetStillCountsAsCompactedOnce() {
        assertThat(threshold(1, 10, 0, 0)).isBetween(LIMITS.bytesMin(), 1100);
    }

    /**
     * Runs of pointers are many entries and few bytes, and values are relocated beside them: none of that makes the
     * bytes dearer that values would have in a run, or what was separated by chance would stay so.
     */
    @Test
    void pointersAndRelocatedValuesDoNotMakeBytesDearer() {
        Costs inline = costs(900_000_000, 0, 2_600_000, 4);
        Costs separated = costs(900_000_000, 180_000_000, 6_800_000, 4);
        assertThat(ValuePlacement.threshold(1_000_000, 1_500_000, separated, LIMITS))
                .isCloseTo(ValuePlacement.threshold(1_000_000, 1_500_000, inline, LIMITS), withinPercentage(3));
    }

    private static Costs costs(long runBytes, long valueBytes, long entries, long nanosPerByte) {
        long work = ValuePlacement.workBytes(runBytes, valueBytes, entries);
        return new Costs(MANY, 4_000 * MANY, 600_000_000, runBytes, work, work * nanosPerByte);
    }

    /** Logs that are emptied again and again cost more than compactions would. */
    @Test
    void aValueIsReadEachTimeThatItIsRelocated() {
        assertThat(placeOf700Bytes(0)).isEqualTo(ValuePlacement.Place.VALUE_LOG);
        assertThat(placeOf700Bytes(2)).isEqualTo(ValuePlacement.Place.COMPRESSED);
    }

    private static ValuePlacement.Place placeOf700Bytes(int relocations) {
        Tables tables = new Tables();
        int values = tables.numberOf("values", TableKind.VALUE);
        ValuePlacement placement = new ValuePlacement(LIMITS, tables);
        placement.separated(values, MANY);
        placement.relocated(values, relocations * MANY);
        Costs costs = new Costs(MANY, 20_000 * MANY, MANY, 4 * MANY, 4 * MANY, 40 * MANY);
        placement.measure(table -> MANY, costs, new DiskSpeed(ReadThresholds.SHIPPED));
        return placement.places().of(values, 700);
    }

    /** A question changes nothing: only measuring lets what was before count less. */
    @Test
    void askingAgainGivesTheSamePlaces() {
        Tables tables = new Tables();
        int values = tables.numberOf("values", TableKind.VALUE);
        int lists = tables.numberOf("lists", TableKind.LIST);
        ValuePlacement placement = new ValuePlacement(LIMITS, tables);
        assertThat(placement.places().of(values, 1 << 20)).isEqualTo(ValuePlacement.Place.INLINE);
        placement.separated(values, 1_000_000);
        placement.measure(table -> 0, new Costs(0, 0, 0, 0, 0, 0), new DiskSpeed(ReadThresholds.SHIPPED));
        for (int i = 0; i < 10; i++) {
            assertThat(placement.places().of(values, LIMITS.bytesMin())).isEqualTo(ValuePlacement.Place.VALUE_LOG);
            assertThat(placement.places().of(values, LIMITS.bytesMin() - 1)).isEqualTo(ValuePlacement.Place.COMPRESSED);
            assertThat(placement.places().of(lists, 1 << 20)).isEqualTo(ValuePlacement.Place.INLINE);
        }
    }

    /** A volume has used up its credits after months: a mean over all of them would say so after further months. */
    @Test
    void whatReadsCostForMonthsDoesNotHideWhatTheyCostNow() {
        Tables tables = new Tables();
        int values = tables.numberOf("values", TableKind.VALUE);
        DiskSpeed disk = new DiskSpeed(ReadThresholds.SHIPPED);
        ValuePlacement placement = new ValuePlacement(LIMITS, tables);
        long reads = 0;
        long nanos = 0;
        for (int flush = 1; flush <= 10_000; flush++) {
            placement.separated(values, MANY / 1_000);
            reads += MANY / 1_000;
            nanos += 4_000 * (MANY / 1_000);
            long all = reads;
            placement.measure(table -> all, worked(flush, all, nanos), disk);
        }
        assertThat(placement.places().of(values, LIMITS.bytesMin())).isEqualTo(ValuePlacement.Place.VALUE_LOG);
        for (int flush = 10_001; flush <= 10_010; flush++) {
            placement.separated(values, MANY / 1_000);
            reads += MANY / 1_000;
            nanos += 1_000_000 * (MANY / 1_000);
            long all = reads;
            placement.measure(table -> all, worked(flush, all, nanos), disk);
        }
        assertThat(placement.places().of(values, LIMITS.bytesMax())).isNotEqualTo(ValuePlacement.Place.VALUE_LOG);
    }

    private static Costs worked(long flushes, long reads, long readNanos) {
        long flushed = flushes * MANY;
        return new Costs(reads, readNanos, flushed, 4 * flushed, 4 * flushed, 40 * flushed);
    }

    @Test
    void valuesAreNotCompressedByThemselvesWhereTheDiskIsSlow() {
        Tables tables = new Tables();
        int values = tables.numberOf("values", TableKind.VALUE);
        ValuePlacement placement = new ValuePlacement(LIMITS, tables);
        DiskSpeed disk = new DiskSpeed(ReadThresholds.SHIPPED);
        for (int i = 0; i < 1_000; i++) {
            disk.read(4_000_000);
        }
        assertThat(disk.grade()).isEqualTo(DiskSpeed.Grade.SLOW);
        placement.measure(table -> 0, new Costs(0, 0, 0, 0, 0, 0), disk);
        assertThat(placement.places().of(values, 1)).isEqualTo(ValuePlacement.Place.INLINE);
    }
}
