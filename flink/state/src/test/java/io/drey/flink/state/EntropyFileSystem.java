package io.drey.flink.state;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.fs.EntropyInjectingFileSystem;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** Local files whose paths get a number in place of {@code _entropy_}, as object stores want it. */
public final class EntropyFileSystem extends LocalFileSystem implements EntropyInjectingFileSystem {
    public static final String SCHEME = "drey-entropy";
    private static final AtomicInteger LAST = new AtomicInteger();

    /** Found by Flink as a service. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new EntropyFileSystem();
        }
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    @Override
    public String getEntropyInjectionKey() {
        return "_entropy_";
    }

    @Override
    public String generateEntropy() {
        return "e" + LAST.incrementAndGet();
    }
}
