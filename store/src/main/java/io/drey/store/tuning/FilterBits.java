package io.drey.store.tuning;

/**
 * Decides how many bits a filter has for an entry, of a run that a compaction of young runs writes. Where the filters
 * of all young runs fit in memory, as many as elsewhere. Where they do not, each run gets so many that together they
 * do, larger ones fewer: a filter of few bits that is in memory saves more reads than a part of a good one, and bits
 * save most where they are for few entries. Where less than two would be left there is none. Pure.
 *
 * @param tenths tenths of bits; 0 for no filter
 */
public record FilterBits(int tenths, Reason reason) {
    /** Why. */
    public enum Reason {
        ALL_FIT,
        /** Young runs share the room. */
        SHARED,
        /** Of a run this large so few bits would be left that they would hardly save a read. */
        TOO_LARGE
    }

    /**
     * The numbers of a store.
     *
     * @param youngEntries entries of all young runs, when there are most
     * @param roomBytes memory for their filters
     * @param bitsMax tenths of bits where all fit
     * @param bitsMin fewer tenths are not worth a filter
     */
    public record Measured(long youngEntries, long roomBytes, int bitsMax, int bitsMin) {}

    /** What is flushed beside a major compaction, in what it began with. */
    private static final double BESIDE_MAJOR = 0.35;

    /** Of sizes that halve from run to run: the mean of the logarithm of the share of all entries, negated. */
    private static final double SPREAD = 2 * Math.log(2);

    /** A filter with b bits for an entry errs as often as e to the power of -b times this. */
    private static final double ERROR_EXPONENT = Math.log(2) * Math.log(2);

    /**
     * The entries that young runs have when there are most, by those that they have now.
     *
     * @param dueBytes of young runs at which a major compaction begins
     */
    public static long entriesAtMost(long youngEntries, long youngBytes, long dueBytes) {
        double most = (1 + BESIDE_MAJOR) * dueBytes / Math.max(1, youngBytes);
        return (long) (youngEntries * Math.max(1, most));
    }

    /**
     * The memory for filters of young runs, where pages of indexes and filters may take so many bytes of it. An index
     * takes its part of that and no more: to read a page of it costs less than to search a block in vain.
     */
    public static long roomBytes(long pagesBytes, double indexBytes, long memoryBytes) {
        return (long) (pagesBytes - Math.min(indexBytes, RunShape.indexRoomBytes(memoryBytes)));
    }

    /** The bits of a run with so many entries. */
    public static FilterBits of(long entries, Measured now) {
        double young = Math.max(Math.max(1, entries), now.youngEntries());
        double mean = 10 * Math.max(0, now.roomBytes()) * 8 / young;
        if (mean >= now.bitsMax()) {
            return new FilterBits(now.bitsMax(), Reason.ALL_FIT);
        }
        double more = 10 * (Math.log(young / Math.max(1, entries)) - SPREAD) / ERROR_EXPONENT;
        int tenths = (int) Math.min(now.bitsMax(), mean + more);
        return tenths < now.bitsMin() ? new FilterBits(0, Reason.TOO_LARGE) : new FilterBits(tenths, Reason.SHARED);
    }
}
