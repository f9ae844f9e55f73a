package io.drey.store.value;

import io.drey.store.block.BlockLayout;
import io.drey.store.file.FileHeader;

/**
 * The file of a value log, numbers little endian:
 *
 * <pre>
 *  0        32
 *  +--------+---------+---------+-----
 *  | header | value 0 | value 1 | ...
 *  +--------+---------+---------+-----
 * </pre>
 *
 * The header is {@link FileHeader}. A value is stored as a block ({@link BlockLayout}) whose raw bytes are the value
 * itself: checksum seeded with id and offset, codec, lengths, payload. There is neither index nor footer: who knows a
 * {@link ValuePointer} needs none, and the length of a finished log is kept with the runs that point to it.
 */
final class ValueLogLayout {
    static final FileHeader HEADER = new FileHeader('V' | 'L' << 8 | 'O' << 16 | 'G' << 24, 1, "a value log");

    /** Where the first value stands. */
    static final int FIRST_OFFSET = FileHeader.BYTES;

    private ValueLogLayout() {}
}
