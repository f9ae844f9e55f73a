package io.drey.bench.jmh.setup;

import io.drey.bench.folder.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A new folder for one contender's files, below the one that the property {@value #PARENT} names. */
public final class Folder implements AutoCloseable {
    /** Where folders are made; the system's place for temporary files if it is not set. */
    public static final String PARENT = "drey.jmh.folder";

    private final Path path;

    public Folder() throws IOException {
        Path parent = Path.of(System.getProperty(PARENT, System.getProperty("java.io.tmpdir")));
        path = Files.createTempDirectory(Files.createDirectories(parent), "drey-jmh-");
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        FolderTree.delete(path);
    }
}
