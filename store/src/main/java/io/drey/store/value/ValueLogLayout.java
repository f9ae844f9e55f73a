package io.drey.store.value;

import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileHeader;

/**
 * The file of a value log, numbers little endian:
 *
 * <pre>
 *  0             32           40       44
 *  +-------------+------------+--------+---------+---------+-----
 *  | header      | generation | CRC32C | value 0 | value 1 | ...
 *  +-------------+------------+--------+---------+---------+-----
 * </pre>
 *
 * The header is {@link FileHeader}. Jobs of a store that write value logs are numbered; the generation is the number of the
 * log's job, and its checksum is seeded with the id and {@link #GENERATION_OFFSET}. A value is stored as a block ({@link BlockLayout}) whose raw bytes are
 * the value itself: checksum seeded with id and offset, codec, lengths, payload. There is neither index nor footer: who
 * knows a {@link ValuePointer} needs none, and the length of a finished log is kept with the runs that point to it.
 */
final class ValueLogLayout {
    static final FileHeader HEADER = new FileHeader('V' | 'L' << 8 | 'O' << 16 | 'G' << 24, 1, "a value log");

    static final int GENERATION_OFFSET = FileHeader.BYTES;
    static final int GENERATION_CRC_OFFSET = GENERATION_OFFSET + 8;

    /** Where the first value stands. */
    static final int FIRST_OFFSET = GENERATION_CRC_OFFSET + 4;

    private ValueLogLayout() {}
}
