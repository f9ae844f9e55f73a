package io.drey.shuffle.worker.file;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.block.RegionCost;

/**
 * The bytes of a region; numbers little endian. A file of a partition is regions, one after another, and nothing else.
 *
 * <pre>
 *   0      4     5         6          8        12           16        24        28       32
 *  +------+-----+---------+----------+--------+-----------+---------+----------+--------+
 *  | DREY | 'G' | version | flags    | region | partition | attempt | reserved | CRC32C |   header
 *  +------+-----+---------+----------+--------+-----------+---------+----------+--------+
 *  | blocks, as on the wire                                                             |
 *  +-----------+-------------+------------+---------------------------------------------+
 *  | -1 (4)    | entries (4) | blocks (4) | 0 (4)                                       |   mark, as no block has -1
 *  +-----------+-------------+------------+------------+---------+----------------------+
 *  | subpartition (4) | blocks (4) | offset (8) | length (8) | digest (8)               |   per subpartition
 *  +-------------+------------+-----------------+--------+--------+--------+------------+
 *  | entries (4) | flags (4) | largest (4) | region (4) | length (8) | CRC32C (4) | "DRGE" |   tail
 *  +-------------+-----------+-------------+------------+------------+------------+--------+
 * </pre>
 *
 * Offsets count from the region's begin; entries are in the order of the blocks. The largest is that of a block with
 * its header, the length that of the whole region. The CRC32C of the tail covers entries and tail before it; each block
 * has its own. Flag 1: each block is for all
 * subpartitions, and stands under subpartition 0.
 */
final class RegionLayout {
    static final int MAGIC = 'D' | 'R' << 8 | 'E' << 16 | 'Y' << 24;
    static final byte KIND = 'G';
    static final byte VERSION = 1;
    static final int END_MAGIC = 'D' | 'R' << 8 | 'G' << 16 | 'E' << 24;

    static final int BROADCAST = 1;

    static final int HEADER_BYTES = RegionCost.BEGIN_BYTES;
    static final int HEADER_CHECKED_BYTES = 28;
    static final int MARK_BYTES = BlockFormat.HEADER_BYTES;
    static final int MARK = -1;
    static final int ENTRY_BYTES = RegionCost.ENTRY_BYTES;
    static final int TAIL_BYTES = 32;
    static final int TAIL_CHECKED_BYTES = 24;

    private RegionLayout() {}
}
