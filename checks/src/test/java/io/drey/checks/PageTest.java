package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page of a module names the types of its door and its rooms. */
final class PageTest {
    private static boolean names(String page, String word) {
        return Pattern.compile("(?<![\\w.])" + Pattern.quote(word) + "(?!\\w)")
                .matcher(page)
                .find();
    }

    private static boolean isPublic(Path file) throws IOException {
        return Pattern.compile("(?m)^public ").matcher(Files.readString(file)).find();
    }

    @Test
    void pagesNameDoorsAndRooms() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (House.Module module : House.MODULES) {
            String path = "docs/internals/" + module.path().replace('/', '-') + ".md";
            // The testkit is told of with the tests.
            Path file = House.root().resolve(module.path().equals("testkit") ? "docs/internals/testing.md" : path);
            String page = Files.readString(file);
            TreeSet<String> rooms = new TreeSet<>();
            for (House.Type type : House.mainTypes()) {
                if (!type.module().equals(module)) {
                    continue;
                }
                if (!type.packageName().equals(module.packageName())) {
                    rooms.add(type.packageName().substring(module.packageName().length() + 1));
                } else if (isPublic(type.file()) && !names(page, type.name())) {
                    wrong.add(House.relative(file) + " does not name " + type.name());
                }
            }
            rooms.removeIf(room -> names(page, room));
            rooms.forEach(room -> wrong.add(House.relative(file) + " does not name package " + room));
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void aWordIsToldFromPartsOfWords() {
        assertThat(names("`log.record`: records", "log.record")).isTrue();
        assertThat(names("`log.record`: of a log", "record")).isFalse();
        assertThat(names("| `StoreImage` |", "Store")).isFalse();
    }
}
