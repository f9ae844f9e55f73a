package io.drey.checkpoint.upload;

import io.drey.foundation.Cleanup;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** The streams that running transfers have open, so that they can be closed under them. Thread safe. */
public final class OpenStreams {
    private final Set<Closeable> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean closed;

    OpenStreams() {}

    /** Remembers a stream; if the transfers were cancelled already, closes it and throws. */
    public <C extends Closeable> C register(C stream) throws IOException {
        synchronized (this) {
            if (!closed) {
                open.add(stream);
                return stream;
            }
        }
        stream.close();
        throw new IOException("the transfers were cancelled");
    }

    /** Forgets a stream that its transfer has closed itself; false if it was closed under it. */
    public synchronized boolean unregister(Closeable stream) {
        return open.remove(stream);
    }

    synchronized int count() {
        return open.size();
    }

    /** Closes what is open and whatever is registered later; what goes wrong is added to {@code cause}. */
    void closeAll(Throwable cause) {
        List<Closeable> streams;
        synchronized (this) {
            closed = true;
            streams = new ArrayList<>(open);
            open.clear();
        }
        streams.forEach(stream -> Cleanup.attempt(stream::close, cause));
    }
}
