package io.drey.store.block;

/** How blocks are compressed, where that saves enough. A reader needs not know: each block says it. */
public enum Compression {
    /** Not at all. */
    NONE,

    /** LZ4: about 5 µs for a block of 4 KB, and 2 µs to read it. */
    LZ4,

    /** Zstandard: a quarter smaller, for about 50 µs, and 15 µs to read it: where a read costs far more than that. */
    ZSTD
}
