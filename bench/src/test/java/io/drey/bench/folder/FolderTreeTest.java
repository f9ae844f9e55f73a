package io.drey.bench.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees in which something is gone, or new, by the time it is looked at. */
final class FolderTreeTest {
    @TempDir
    private Path folder;

    private Path tree;

    @BeforeEach
    void makeTree() throws IOException {
        tree = folder.resolve("tree");
        Files.createDirectories(tree.resolve("a/empty"));
        Files.writeString(tree.resolve("a/one"), "1");
        Files.createDirectories(tree.resolve("b/c"));
        Files.writeString(tree.resolve("b/two"), "22");
    }

    @Test
    void aTreeIsDeletedAndOneThatIsNotThereIsFine() throws IOException {
        FolderTree.delete(tree);
        FolderTree.delete(tree);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void onlyFoldersWithoutFilesGo() throws IOException {
        FolderTree.deleteEmptyFolders(tree);
        assertThat(tree.resolve("a/one")).hasContent("1");
        assertThat(tree.resolve("a/empty")).doesNotExist();
        assertThat(tree.resolve("b/two")).hasContent("22");
        assertThat(tree.resolve("b/c")).doesNotExist();
        FolderTree.deleteIfEmpty(tree);
        assertThat(tree).isNotEmptyDirectory();
    }

    @Test
    void filesThatVanishDuringAWalkAreNotMissed() throws IOException {
        List<String> seen = new ArrayList<>();
        FolderTree.files(tree, (file, attributes) -> {
            seen.add(file.getFileName().toString());
            FolderTree.delete(tree);
        });
        assertThat(seen).hasSize(1);
        FolderTree.files(tree, (file, attributes) -> seen.add("nothing"));
        assertThat(seen).hasSize(1);
    }
}
