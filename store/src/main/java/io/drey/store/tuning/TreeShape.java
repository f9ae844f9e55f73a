package io.drey.store.tuning;

/**
 * The shape of the tree, a pure decision: the share of the last level that young runs have when a major compaction is
 * due. More of it means less writing and more space. Where state is only a few times what memory holds, space is what a
 * user sees; where it is many times that, most of what is written is compaction, and it grows with the ratio. The
 * number of young runs does not depend on the ratio; {@code docs/internals/store.md} has the costs.
 *
 * @param majorPercent bytes of young runs, in percent of the last level, at which a major compaction is due
 * @param reason what says so
 */
public record TreeShape(int majorPercent, Reason reason) {
    /** The reason for a shape. */
    public enum Reason {
        /** State is written anew by few flushes, or none are known yet. */
        FEW_FLUSHES,
        MANY_FLUSHES
    }

    private static final TreeShape FEW = new TreeShape(25, Reason.FEW_FLUSHES);
    private static final TreeShape MANY = new TreeShape(33, Reason.MANY_FLUSHES);

    /** Flushes with as many bytes as the last level that are many: state about three times memory, if small. */
    private static final int FLUSHES_MANY = 256;

    /**
     * The shape for a last level of so many bytes.
     *
     * @param flushes so far
     * @param flushedBytes of runs that they wrote
     */
    public static TreeShape of(long flushes, long flushedBytes, long levelBytes) {
        return flushedBytes > 0 && (double) levelBytes / flushedBytes * flushes >= FLUSHES_MANY ? MANY : FEW;
    }
}
