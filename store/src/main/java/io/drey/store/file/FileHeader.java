package io.drey.store.file;

import io.drey.files.ReadableFile;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.FileVersionException;
import io.drey.foundation.Memory;
import io.drey.foundation.Scratch;

/**
 * The header that each file begins with, the same in every version, little endian:
 *
 * <pre>
 *  0       4       8         12        20       28       32
 *  +-------+-------+---------+---------+--------+--------+
 *  | magic | kind  | version | id high | id low | CRC32C |
 *  +-------+-------+---------+---------+--------+--------+
 * </pre>
 *
 * The checksum covers what is before it and is seeded with 0.
 *
 * @param kind four letters, the first one in the lowest byte
 * @param version the one version that is written and read
 * @param name what messages call such a file, with its article
 */
public record FileHeader(int kind, int version, String name) {
    public static final int BYTES = 32;
    public static final int MAGIC = 'D' | 'R' << 8 | 'E' << 16 | 'Y' << 24;

    private static final int KIND_OFFSET = 4;
    private static final int VERSION_OFFSET = 8;
    private static final int ID_HIGH_OFFSET = 12;
    private static final int ID_LOW_OFFSET = 20;
    private static final int CRC_OFFSET = 28;

    /** Writes {@link #BYTES} bytes. */
    public void encode(long at, FileId id, Checksum checksum) {
        Memory.putInt(at, MAGIC);
        Memory.putInt(at + KIND_OFFSET, kind);
        Memory.putInt(at + VERSION_OFFSET, version);
        Memory.putLong(at + ID_HIGH_OFFSET, id.high());
        Memory.putLong(at + ID_LOW_OFFSET, id.low());
        Memory.putInt(at + CRC_OFFSET, checksum.of(at, CRC_OFFSET, 0));
    }

    /** Reads and checks the header of a file: its id. */
    public FileId read(ReadableFile file, FileReads reads, Scratch buffer, Checksum checksum) {
        if (file.size() < BYTES) {
            throw new CorruptFileException(file.name(), 0, "a header of " + BYTES + " bytes", file.size() + " bytes");
        }
        long at = buffer.reserve(BYTES);
        reads.read(file, 0, at, BYTES);
        if (Memory.getInt(at) != MAGIC) {
            throw new FileVersionException(file.name(), "a file of Drey", "magic " + hex(Memory.getInt(at)));
        }
        int sum = checksum.of(at, CRC_OFFSET, 0);
        if (sum != Memory.getInt(at + CRC_OFFSET)) {
            throw new CorruptFileException(
                    file.name(), 0, "a header with checksum " + hex(Memory.getInt(at + CRC_OFFSET)), hex(sum));
        }
        if (Memory.getInt(at + KIND_OFFSET) != kind) {
            throw new FileVersionException(file.name(), name, "a file of kind " + hex(Memory.getInt(at + KIND_OFFSET)));
        }
        int found = Memory.getInt(at + VERSION_OFFSET);
        if (found != version) {
            String age = Integer.compareUnsigned(found, version) > 0 ? "a newer" : "an older";
            throw new FileVersionException(
                    file.name(), name + " of version " + version, age + " one, " + Integer.toUnsignedString(found));
        }
        return new FileId(Memory.getLong(at + ID_HIGH_OFFSET), Memory.getLong(at + ID_LOW_OFFSET));
    }

    private static String hex(int value) {
        return Integer.toHexString(value);
    }
}
