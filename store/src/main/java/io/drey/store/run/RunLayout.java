package io.drey.store.run;

import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileHeader;
import io.drey.store.filter.FilterLayout;

/**
 * The file of a run, numbers little endian:
 *
 * <pre>
 *  +--------+---------+---------+-----+---------------+-----+----------+--------+---------+
 *  | header | block 0 | block 1 | ... | filter page 0 | ... | resident | footer | trailer |
 *  | 32     |         |         |     |               |     |          |        | 12      |
 *  +--------+---------+---------+-----+---------------+-----+----------+--------+---------+
 *
 *  resident: what a reader keeps in memory
 *  +------------------+----------------------+--------------------------+---------------------+
 *  | 16 for each block| 16 for each separator| 16 for each filter page  | bytes of separators |
 *  +------------------+----------------------+--------------------------+---------------------+
 *   block:       first prefix 8 | offset 5 | number of its filter page 3
 *   separator:   block 4 | lower half of the hash 4 | offset in the separators' bytes 4 | length 4
 *   filter page: offset 8 | first block 4 | length 4
 *
 *  footer:
 *   0 entries 8 | 8 raw bytes 8 | 16 first prefix 8 | 24 last prefix 8 | 32 first key group 4 | 36 last key group 4
 *  40 resident offset 8 | 48 blocks 4 | 52 separators 4 | 56 filter pages 4 | 60 CRC32C of resident 4
 *  64 tables 4 | 68 value logs 4
 *  72 for each table: table 4, entries 8, row tombstones 8, entries without a last access 8, median and latest
 *     access 8 + 8
 *     for each value log: id high 8, id low 8, bytes pointed to 8
 *
 *  trailer:
 *   0 footer length 4 | 4 CRC32C of footer and its length 4 | 8 magic 4
 * </pre>
 *
 * The header is {@link FileHeader}, a block {@link BlockLayout}, a filter page {@link FilterLayout}; a page stands
 * right behind the last block that it covers. A block's extent ends where the next one begins. Where keys with the
 * first prefix of a block may also stand in the block before, a separator, which is greater than all keys before the
 * block and not greater than its first, tells them apart. All checksums are seeded with the id and the place of what
 * they cover.
 */
final class RunLayout {
    static final FileHeader HEADER = new FileHeader('R' | 'U' << 8 | 'N' << 16 | ' ' << 24, 1, "a run");

    /** Bytes of a block, a separator or a filter page in the resident part. */
    static final int RESIDENT_ENTRY_BYTES = 16;

    static final int FOOTER_FIXED_BYTES = 72;
    static final int FOOTER_TABLE_BYTES = 44;
    static final int FOOTER_LOG_BYTES = 24;

    static final int TRAILER_BYTES = 12;
    static final int TRAILER_CRC_OFFSET = 4;
    static final int TRAILER_MAGIC_OFFSET = 8;

    /** A block's offset has 40 bits. */
    static final long RUN_BYTES_MAX = 1L << 40;

    /** The number of a filter page has 24 bits; the last page covers whatever follows. */
    static final int FILTER_PAGES_MAX = 1 << 24;

    private RunLayout() {}
}
