package io.drey.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A finished file, read at positions by any number of threads. Survives the interruption of a reading thread. */
public interface ReadableFile extends Closeable {
    String name();

    long size();

    /** Fills the remaining bytes of the buffer from {@code position}, or throws: a shorter file is an error. */
    void read(long position, ByteBuffer into) throws IOException;

    /** Says that bytes will be read soon: what of them is far away may come before the rest. Waits for nothing. */
    default void expect(long position, long length) {}

    /** Whether all of it is here, so that a read waits for nothing that is far away. */
    default boolean isWhole() {
        return true;
    }
}
