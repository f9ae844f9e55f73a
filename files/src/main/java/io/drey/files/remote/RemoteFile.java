package io.drey.files.remote;

import java.io.IOException;

/** A finished file in a storage far away, which is to come here. Thread safe. */
public interface RemoteFile {
    /** The name that it has here. */
    String name();

    /** Its length, as far as is known without asking the storage. */
    long bytes();

    /** Where it lies, for messages. */
    String describe();

    /** A stream that stands at its begin. */
    RemoteStream open() throws IOException;
}
