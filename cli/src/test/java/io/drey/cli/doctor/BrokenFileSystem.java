package io.drey.cli.doctor;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system under a scheme of its own, with writes that fail. */
public final class BrokenFileSystem extends LocalFileSystem {
    private static final String SCHEME = "broken";

    static String uri(Path path) {
        return SCHEME + "://" + path.toAbsolutePath();
    }

    /** Flink finds it by a service file. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new BrokenFileSystem();
        }
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    @Override
    public FSDataOutputStream create(org.apache.flink.core.fs.Path path, WriteMode mode) throws IOException {
        throw new IOException("this test wants writes to fail");
    }
}
