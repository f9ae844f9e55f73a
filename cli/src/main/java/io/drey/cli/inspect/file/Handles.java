package io.drey.cli.inspect.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/** Reads what handles of a snapshot refer to, also if the snapshot was copied elsewhere. */
public final class Handles {
    /** Where files of a checkpoint are, seen from its directory. */
    private static final List<String> NEIGHBOURS = List.of(".", "../shared", "../taskowned");

    private Handles() {}

    /** Where a handle's bytes are, for messages. */
    public static String describe(StreamStateHandle handle) {
        return handle.maybeGetPath()
                .map(path -> "file".equals(path.toUri().getScheme()) ? path.getPath() : path.toString())
                .orElse("its bytes in _metadata");
    }

    /**
     * The handle itself, or one of a file of the same name beside the snapshot, if the file is not where the handle
     * says: somebody copied the snapshot.
     */
    public static StreamStateHandle near(Path directory, StreamStateHandle handle) {
        if (!(handle instanceof FileStateHandle file)
                || isThere(file.getFilePath().toUri())) {
            return handle;
        }
        for (String neighbour : NEIGHBOURS) {
            Path copy = directory
                    .resolve(neighbour)
                    .resolve(file.getFilePath().getName())
                    .normalize();
            if (Files.isRegularFile(copy)) {
                return new FileStateHandle(new org.apache.flink.core.fs.Path(copy.toUri()), file.getStateSize());
            }
        }
        return handle;
    }

    /** All bytes of a handle, in order. */
    public static InputStream stream(StreamStateHandle handle) throws IOException {
        Path local = local(handle);
        return local == null ? handle.openInputStream() : Files.newInputStream(local);
    }

    /** The file of this machine that is all of a handle, or null. */
    static Path local(StreamStateHandle handle) {
        return handle instanceof FileStateHandle file
                        && isThere(file.getFilePath().toUri())
                ? Path.of(file.getFilePath().toUri())
                : null;
    }

    private static boolean isThere(URI uri) {
        try {
            return "file".equals(uri.getScheme()) && Files.exists(Path.of(uri));
        } catch (FileSystemNotFoundException | IllegalArgumentException e) {
            return false;
        }
    }

    /** All bytes of a small handle, such as a manifest. */
    public static byte[] readAll(StreamStateHandle handle, int bytesMax) throws IOException {
        try (InputStream in = handle.openInputStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(in.readNBytes(bytesMax));
            if (in.read() >= 0) {
                throw new IOException(
                        "expected at most " + bytesMax + " bytes in " + describe(handle) + ", found more");
            }
            return bytes.toByteArray();
        }
    }
}
