package io.drey.bench.jmh.store;

import java.io.Closeable;
import java.io.IOException;

/**
 * A store of bytes as a state backend drives it: values, lists and maps under the key of a record. It stands between
 * the benchmarks and the contenders, so that all run the same loop; only one implementation is loaded in a process, so
 * that calls cost nothing.
 */
interface ByteStore extends Closeable {
    /** Length of the value under a key, or -1. */
    int get(RecordKey key) throws Exception;

    void put(RecordKey key, byte[] value, int length) throws Exception;

    /** Reads the value under a key and writes one of the same length in its place. */
    void update(RecordKey key) throws Exception;

    /** Adds an element to the list under a key, without reading it. */
    void append(RecordKey key, byte[] element, int length) throws Exception;

    /** Length of the list under a key with all its elements, or -1. */
    int getList(RecordKey key) throws Exception;

    /** Length of the value of one map entry, or -1. */
    int getEntry(RecordKey key, byte[] mapKey) throws Exception;

    void putEntry(RecordKey key, byte[] mapKey, byte[] value, int length) throws Exception;

    /** Walks the map under a key; the lengths of all keys and values together. */
    long scan(RecordKey key);

    boolean isMapEmpty(RecordKey key);

    /** The part of a checkpoint that the task's thread has to wait for. */
    Snapshot snapshot() throws Exception;

    /** Makes everything durable in files and waits until nothing is left to do in the background. */
    void settle() throws Exception;

    @Override
    void close() throws IOException;

    /** The hold of a checkpoint on its files until it is over. */
    interface Snapshot extends Closeable {}
}
