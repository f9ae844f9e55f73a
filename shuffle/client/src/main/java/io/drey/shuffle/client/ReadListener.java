package io.drey.shuffle.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes what a {@link ReadStream} reads: one call at a time, in an event loop, where nothing may wait. */
public interface ReadListener {
    /** Memory for the payload of the next block, or null to close the stream. After a cut a block may begin again. */
    ByteBuffer blockBegins(int length, int flags);

    /** The block is in that memory, complete and sound. */
    void blockEnds(int subpartition, int length, int flags, int blocksLeft) throws IOException;

    /** Whether a block with these flags uses up one of the credits that were given. */
    boolean usesCredit(int flags);

    /** So many blocks are ready to be sent. */
    void backlog(int blocks) throws IOException;

    /** Credits that were not given yet, which are given now. */
    int takeCredit();

    /** All blocks were delivered. @param attributes what the writer gave to its commit */
    void complete(int attributes) throws IOException;

    /** The partition is nowhere, or damaged. The last call. */
    void lost(String why);

    /** It could not be read, and nothing is known of it. The last call. */
    void failed(Throwable cause);

    /** The stream was closed, by its owner or at a block. The last call. */
    void closed();
}
