package io.drey.store.block;

/**
 * The compression of blocks, where that saves enough. Each block says how it is compressed, so a reader needs no
 * setting.
 */
public enum Compression {
    /** Not at all. */
    NONE,

    /** LZ4: about 5 µs for a block of 4 KB, and 2 µs to read it. */
    LZ4,

    /** Zstandard: a quarter smaller, for about 50 µs, and 15 µs to read it: where a read costs far more than that. */
    ZSTD
}
