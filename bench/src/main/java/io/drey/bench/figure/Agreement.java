package io.drey.bench.figure;

import java.util.List;

/**
 * The verdict on the outputs of one job: the same from all contenders or not. Outputs are compared by bucket of event
 * time; a bucket counts only for the cells that completed it.
 *
 * @param status the verdict
 * @param commonBuckets buckets that at least two contenders completed
 * @param commonRows rows in these buckets, as the majority has them
 * @param dissents who differs
 * @param unchecked cells without an error that share no bucket with another contender, by {@code CellSpec.id}
 */
public record Agreement(
        Status status, int commonBuckets, long commonRows, List<Dissent> dissents, List<String> unchecked) {
    /** The verdict. */
    public enum Status {
        /** What every contender made after its restore was compared with another, and nobody differs in any bucket. */
        AGREED,

        /** At least one cell differs. */
        DIFFERENT,

        /** Nobody differs, but of a contender nothing that it made after its restore could be compared. */
        NOT_COMPARABLE
    }

    /**
     * A contender whose output is not that of the majority.
     *
     * @param contender its name
     * @param cells its cells that differ
     * @param buckets number of buckets that differ
     * @param firstStart event time at which the first of them begins, in milliseconds
     * @param found rows and sum there
     * @param expected rows and sum of the majority; of the baseline where there is no majority
     */
    public record Dissent(
            String contender, List<String> cells, int buckets, long firstStart, String found, String expected) {}
}
