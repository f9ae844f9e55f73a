package io.drey.cli.doctor;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.local.LocalDataOutputStream;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system, with writes that take long, or that fail; under schemes of its own. */
public final class SlowFileSystem extends LocalFileSystem {
    private static final String SLOW = "slow";
    private static final String BROKEN = "broken";
    private static final int BYTES_PER_MILLI = 500;

    private final String scheme;

    private SlowFileSystem(String scheme) {
        this.scheme = scheme;
    }

    static URI uri(Path path) {
        return URI.create(SLOW + "://" + path.toAbsolutePath());
    }

    static URI broken(Path path) {
        return URI.create(BROKEN + "://" + path.toAbsolutePath());
    }

    /** Flink finds it by a service file. */
    public static class Slow implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SLOW;
        }

        @Override
        public FileSystem create(URI uri) {
            return new SlowFileSystem(SLOW);
        }
    }

    /** The same for one whose writes fail. */
    public static final class Broken implements FileSystemFactory {
        @Override
        public String getScheme() {
            return BROKEN;
        }

        @Override
        public FileSystem create(URI uri) {
            return new SlowFileSystem(BROKEN);
        }
    }

    private static org.apache.flink.core.fs.Path local(org.apache.flink.core.fs.Path path) {
        return new org.apache.flink.core.fs.Path("file", null, path.toUri().getPath());
    }

    @Override
    public URI getUri() {
        return URI.create(scheme + ":///");
    }

    @Override
    public FSDataInputStream open(org.apache.flink.core.fs.Path path) throws IOException {
        return super.open(local(path));
    }

    @Override
    public FileStatus getFileStatus(org.apache.flink.core.fs.Path path) throws IOException {
        return super.getFileStatus(local(path));
    }

    @Override
    public boolean exists(org.apache.flink.core.fs.Path path) throws IOException {
        return super.exists(local(path));
    }

    @Override
    public FSDataOutputStream create(org.apache.flink.core.fs.Path path, WriteMode mode) throws IOException {
        if (scheme.equals(BROKEN)) {
            throw new IOException("this test wants writes to fail");
        }
        if (getFileStatusOrNull(path.getParent()) == null) {
            mkdirs(path.getParent());
        }
        return new SlowStream(new java.io.File(path.toUri().getPath()));
    }

    private FileStatus getFileStatusOrNull(org.apache.flink.core.fs.Path path) throws IOException {
        return exists(path) ? getFileStatus(path) : null;
    }

    private static final class SlowStream extends LocalDataOutputStream {
        SlowStream(java.io.File file) throws IOException {
            super(file);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
                Thread.sleep(length / BYTES_PER_MILLI);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            super.write(bytes, offset, length);
        }
    }
}
