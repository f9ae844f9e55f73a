package io.drey.files.remote;

import java.io.Closeable;
import java.io.IOException;

/** Bytes of a {@link RemoteFile}, one thread at a time; another one may close it. */
public interface RemoteStream extends Closeable {
    void seek(long position) throws IOException;

    /** Fills that part of the array, as far as the file reaches; returns how much that was. */
    int read(byte[] into, int offset, int length) throws IOException;
}
