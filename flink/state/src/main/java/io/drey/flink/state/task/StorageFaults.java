package io.drey.flink.state.task;

import java.io.IOException;
import java.util.concurrent.CancellationException;

/** Exceptions of storage clients. Some, as Presto's of S3, throw no IOException; but only that is tried again. */
public final class StorageFaults {
    private StorageFaults() {}

    /** The same as a failure of the storage, unless it is the end of whoever asked. */
    public static IOException of(Exception thrown) {
        if (thrown instanceof CancellationException cancelled) {
            throw cancelled;
        }
        return thrown instanceof IOException failed ? failed : new IOException(thrown.toString(), thrown);
    }
}
