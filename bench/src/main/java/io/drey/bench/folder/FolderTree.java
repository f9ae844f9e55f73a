package io.drey.bench.folder;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Walks of trees in which state backends are at work: what is listed and then gone was deleted by them, which is as
 * good as never seen.
 */
public final class FolderTree {
    /** Sees one file, with what is known of it. */
    @FunctionalInterface
    public interface FileListener {
        void file(Path file, BasicFileAttributes attributes) throws IOException;
    }

    private FolderTree() {}

    /** Shows every file of a tree; none if there is no such tree. */
    public static void files(Path tree, FileListener listener) throws IOException {
        walk(tree, listener, directory -> {});
    }

    /**
     * Deletes a tree, if there is one.
     *
     * @throws IOException also if somebody writes to it meanwhile
     */
    public static void delete(Path tree) throws IOException {
        walk(tree, (file, attributes) -> Files.deleteIfExists(file), directory -> {
            try {
                Files.deleteIfExists(directory);
            } catch (DirectoryNotEmptyException e) {
                throw new IOException("Something else writes to " + directory + ", which is to be deleted", e);
            }
        });
    }

    /** Deletes those folders of a tree, and the tree itself, that hold no files; if there is such a tree. */
    public static void deleteEmptyFolders(Path tree) throws IOException {
        walk(tree, (file, attributes) -> {}, FolderTree::deleteIfEmpty);
    }

    /** Deletes a folder, if there is one and nothing is in it. */
    public static void deleteIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // What is in it is meant to stay.
            return;
        }
    }

    /** Is called for a folder after all that is in it. */
    private interface FolderListener {
        void folder(Path folder) throws IOException;
    }

    private static void walk(Path tree, FileListener files, FolderListener folders) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                files.file(file, attributes);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                return goOn(e);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
                FileVisitResult result = goOn(e);
                folders.folder(directory);
                return result;
            }
        });
    }

    private static FileVisitResult goOn(IOException e) throws IOException {
        if (e != null && !(e instanceof NoSuchFileException)) {
            throw e;
        }
        return FileVisitResult.CONTINUE;
    }
}
