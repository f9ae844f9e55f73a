/** Benchmarks at the store's interface: Drey's beside RocksDB through JNI, bytes in and bytes out. */
package io.drey.bench.jmh.store;
