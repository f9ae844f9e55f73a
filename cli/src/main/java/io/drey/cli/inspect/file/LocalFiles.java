package io.drey.cli.inspect.file;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Local files of stores below a directory. The store that owns them may be at work: a file may go at any moment. */
public final class LocalFiles {
    /** A job's local files lie at most so far below the directory that an option names. */
    private static final int DEPTH_MAX = 6;

    private LocalFiles() {}

    /** A run or a value log. */
    public record LocalFile(Path path, FileKind kind, long bytes, Instant modified) {}

    /** The directories with files of a store, sorted. */
    public static List<Path> directories(Path directory) throws IOException {
        TreeSet<Path> found = new TreeSet<>();
        list(directory).forEach(file -> found.add(file.path().getParent()));
        return List.copyOf(found);
    }

    /** All files of stores, the newest first. */
    public static List<LocalFile> list(Path directory) throws IOException {
        List<LocalFile> found = new ArrayList<>();
        Files.walkFileTree(directory, java.util.Set.of(), DEPTH_MAX, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                FileKind kind = attributes.isRegularFile() ? kind(path) : null;
                if (kind == FileKind.RUN || kind == FileKind.VALUE_LOG) {
                    found.add(new LocalFile(
                            path,
                            kind,
                            attributes.size(),
                            attributes.lastModifiedTime().toInstant()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        found.sort(Comparator.comparing(LocalFile::modified).reversed());
        return found;
    }

    private static FileKind kind(Path path) throws IOException {
        try {
            return FileKind.of(path);
        } catch (NoSuchFileException e) {
            return null;
        }
    }
}
