package io.drey.shuffle.protocol.block;

/**
 * The bytes that a region takes in a worker's file beside its blocks. A writer's credit counts the whole file, so that
 * both ends know what fits into the worker's memory. Bytes of blocks are sent only within the credit; BEGIN and END as
 * soon as it is positive: what they cost may take it below 0.
 */
public final class RegionCost {
    /** What BEGIN costs: the region's header. */
    public static final int BEGIN_BYTES = 32;

    /** What each subpartition that has blocks in the region adds to the cost of END. */
    public static final int ENTRY_BYTES = 32;

    /** The rest of the cost of END: a mark behind the last block, and the tail. */
    public static final int TAIL_BYTES = BlockFormat.HEADER_BYTES + 32;

    private RegionCost() {}

    /** What END costs. */
    public static int endBytes(int subpartitionsWithBlocks) {
        return TAIL_BYTES + ENTRY_BYTES * subpartitionsWithBlocks;
    }
}
