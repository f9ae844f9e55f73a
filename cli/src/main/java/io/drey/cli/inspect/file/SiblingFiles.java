package io.drey.cli.inspect.file;

import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.local.LocalDirectory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A directory in which a value log may have another name than its store gave it: a checkpoint's files have names of
 * Flink's. Then it is found by the id in its header. Only reads.
 */
public final class SiblingFiles implements Directory {
    private static final String LOG_SUFFIX = ".values";
    private static final int ID_OFFSET = 12;
    private static final int HEADER_BYTES = 32;

    private final LocalDirectory directory;

    /** The files beside a file. */
    public SiblingFiles(Path file) throws IOException {
        directory = LocalDirectory.at(file.toAbsolutePath().getParent());
    }

    @Override
    public ReadableFile open(String name) throws IOException {
        return directory.open(directory.exists(name) ? name : renamed(name));
    }

    @Override
    public boolean exists(String name) throws IOException {
        return directory.exists(name) || !renamed(name).equals(name);
    }

    /** The name that a value log has here, or the given one if there is none. */
    private String renamed(String name) throws IOException {
        if (name.endsWith(LOG_SUFFIX)) {
            for (String other : directory.list()) {
                Path path = directory.path(other);
                if (FileKind.of(path) == FileKind.VALUE_LOG && name.equals(id(path) + LOG_SUFFIX)) {
                    return other;
                }
            }
        }
        return name;
    }

    private static String id(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            ByteBuffer header = ByteBuffer.wrap(in.readNBytes(HEADER_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
            return header.limit() < HEADER_BYTES
                    ? ""
                    : String.format(
                            Locale.ROOT,
                            "%016x%016x",
                            header.getLong(ID_OFFSET),
                            header.getLong(ID_OFFSET + Long.BYTES));
        }
    }

    @Override
    public List<String> list() throws IOException {
        return directory.list();
    }

    @Override
    public long usableBytes() throws IOException {
        return directory.usableBytes();
    }

    @Override
    public String describe() {
        return directory.describe();
    }

    @Override
    public WritableFile create(String name) {
        throw new UnsupportedOperationException("expected only reads of " + describe());
    }

    @Override
    public void delete(String name) {
        throw new UnsupportedOperationException("expected only reads of " + describe());
    }
}
