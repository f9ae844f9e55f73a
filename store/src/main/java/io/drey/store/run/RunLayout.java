package io.drey.store.run;

import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileHeader;
import io.drey.store.filter.FilterLayout;

/**
 * The file of a run, numbers little endian:
 *
 * <pre>
 *  +--------+---------+---------+-----+---------------+-----+--------------+-----+-----+--------+---------+
 *  | header | block 0 | block 1 | ... | filter page 0 | ... | index page 0 | ... | top | footer | trailer |
 *  | 32     |         |         |     |               |     |              |     |     |        | 12      |
 *  +--------+---------+---------+-----+---------------+-----+--------------+-----+-----+--------+---------+
 *
 *  index page:
 *   0 CRC32C of what follows 4 | 4 blocks 4 | 8 separators 4 | 12 zero 4 | 16 offset of its first block 8
 *  24 for each block its first prefix, 8 | for each block its offset from that of the first, 4 | separators, 16 each |
 *     bytes of separators
 *   separator: block in the page 4 | lower half of the hash 4 | offset in the separators' bytes 4 | length 4
 *
 *  top: what a reader keeps in memory
 *   index pages, 24 each:  first prefix 8 | offset of the first block 8 | offset of the page 8
 *   filter pages, 16 each: first prefix 8 | offset 5 | length 3
 *
 *  footer:
 *   0 entries 8 | 8 raw bytes 8 | 16 first prefix 8 | 24 last prefix 8 | 32 first key group 4 | 36 last key group 4
 *  40 offset of the index pages 8 | 48 offset of the top 8 | 56 blocks 4 | 60 index pages 4 | 64 filter pages 4 |
 *  68 CRC32C of the top 4 | 72 tables 4 | 76 value logs 4
 *  80 for each table: table 4, entries 8, row tombstones 8, entries without a last access 8, median and latest
 *     access 8 + 8
 *     for each value log: id high 8, id low 8, bytes pointed to 8
 *
 *  trailer:
 *   0 footer length 4 | 4 CRC32C of footer and its length 4 | 8 magic 4
 * </pre>
 *
 * The header is {@link FileHeader}, a block {@link BlockLayout}, a filter page {@link FilterLayout}; a filter page
 * stands right behind the last block that it covers; a run may have none. A block's extent ends where the next one
 * begins. Where keys with the first prefix of a block may also stand in the block before, a separator, which is greater
 * than all keys before the block and not greater than its first, tells them apart. Pages of the index may be of any
 * size; writers end one before it is larger than a page of the cache. All checksums are seeded with the id and the
 * place of what they cover, those of index pages with the place of their first block.
 */
final class RunLayout {
    static final FileHeader HEADER = new FileHeader('R' | 'U' << 8 | 'N' << 16 | ' ' << 24, 2, "a run");

    /** Of an index page in the top. */
    static final int INDEX_ENTRY_BYTES = 24;

    static final int INDEX_DATA_OFFSET = 8;
    static final int INDEX_PAGE_OFFSET = 16;

    /** Of a filter page in the top. */
    static final int FILTER_ENTRY_BYTES = 16;

    static final int FILTER_PLACE = 8;

    static final int FOOTER_FIXED_BYTES = 80;
    static final int FOOTER_TABLE_BYTES = 44;
    static final int FOOTER_LOG_BYTES = 24;

    static final int TRAILER_BYTES = 12;
    static final int TRAILER_CRC_OFFSET = 4;
    static final int TRAILER_MAGIC_OFFSET = 8;

    static final int OFFSET_BITS = 40;

    /** The offset of a filter page has so many bits. */
    static final long RUN_BYTES_MAX = 1L << OFFSET_BITS;

    private RunLayout() {}
}
