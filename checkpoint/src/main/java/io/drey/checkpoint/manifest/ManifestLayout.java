package io.drey.checkpoint.manifest;

/**
 * The bytes of a manifest; all numbers little endian, texts UTF-8.
 *
 * <pre>
 *   0      4     5        6          8              24              32             36           40
 *  +------+-----+--------+----------+--------------+---------------+--------------+------------+
 *  | DREY | 'M' | version| reserved | backend UUID | checkpoint id | keyGroupFrom | keyGroupTo |
 *  +------+-----+--------+----------+--------------+---------------+--------------+------------+
 *  | file count (4) | section count (4) |
 *  +----------------+-------------------+
 *  | kind (1) | name length (2) | name | bytes (8) | checksum (8)    |   per file, in version 1
 *  +----------+-----------------+------+-----------+-----------------+
 *  | kind (1) | name length (2) | name | bytes (8) | checksum (8) | offset (8) |   per file, from version 2 on
 *  +----------+-----------------+------+-----------+--------------+------------+
 *  | id (4) | length (4) | bytes |                                        per section, ids ascending
 *  +--------+------------+-------+
 *  | CRC32C (4) of all before |
 *  +--------------------------+
 * </pre>
 *
 * In every version the first eight bytes mean the same, and the last four are the checksum of all others: so damage is
 * told from another version.
 */
final class ManifestLayout {
    /** "DREY" as the first four bytes. */
    static final int MAGIC = 'D' | 'R' << 8 | 'E' << 16 | 'Y' << 24;

    static final byte KIND = 'M';
    static final byte VERSION_MIN = 1;
    static final byte VERSION = 2;

    /** The first in which a file has an offset. */
    static final byte VERSION_OF_OFFSETS = 2;

    static final int KIND_AT = 4;
    static final int VERSION_AT = 5;
    static final int RESERVED_AT = 6;
    static final int CHECKSUM_BYTES = 4;

    /** Everything before the first file. */
    static final int HEADER_BYTES = 48;

    static final int BYTES_MIN = HEADER_BYTES + CHECKSUM_BYTES;

    /** A section without its bytes. */
    static final int SECTION_BYTES_MIN = 8;

    static final int NAME_BYTES_MAX = 0xffff;

    /** Seed of the checksum: tells a manifest's from another kind's. */
    static final long CHECKSUM_SEED = KIND;

    private ManifestLayout() {}

    /** Bytes of a file without its name. */
    static int fileBytesMin(byte version) {
        return version < VERSION_OF_OFFSETS ? 19 : 27;
    }
}
