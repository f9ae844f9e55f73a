/** Blocks of entries: their encoding, compression, checksums and search. */
package io.drey.store.block;
