/** Checkpoint storage that is as slow as its options say. */
package io.drey.bench.storage;
