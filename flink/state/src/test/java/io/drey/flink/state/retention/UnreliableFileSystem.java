package io.drey.flink.state.retention;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system as {@code unreliable:}, which once does not say whether a file exists if a test wants that. */
public final class UnreliableFileSystem extends LocalFileSystem {
    static final String SCHEME = "unreliable";

    /** Thrown by the next question, or null. */
    static final AtomicReference<Exception> FAILURE = new AtomicReference<>();

    /** Makes one for Flink, which finds it by its service file. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new UnreliableFileSystem();
        }
    }

    @Override
    public boolean exists(Path path) throws IOException {
        Exception failure = FAILURE.getAndSet(null);
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        return super.exists(path);
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }
}
