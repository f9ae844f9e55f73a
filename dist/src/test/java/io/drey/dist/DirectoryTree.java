package io.drey.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lists and deletes a directory with all that is in it. */
final class DirectoryTree {

    private DirectoryTree() {}

    static void delete(Path directory) throws IOException {
        List<Path> leavesFirst;
        try (Stream<Path> paths = Files.walk(directory)) {
            leavesFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : leavesFirst) {
            Files.delete(path);
        }
    }

    static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
