package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.junit.jupiter.api.Test;

/** The options that the code declares and those that the reference documents are the same. */
final class OptionsTest {
    /** Begins of keys, as regular expressions. */
    private static final String STATE = "state\\.(?:backend|changelog)\\.drey\\.";

    private static final String SHUFFLE = "drey\\.shuffle\\.";

    private static Set<String> declared(String packageName) throws ReflectiveOperationException {
        Set<String> keys = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter().importPackages(packageName)) {
            for (JavaField declared : type.getFields()) {
                if (declared.getRawType().getName().equals(ConfigOption.class.getName())) {
                    Field field = Class.forName(type.getName()).getDeclaredField(declared.getName());
                    field.setAccessible(true);
                    keys.add(((ConfigOption<?>) field.get(null)).key());
                }
            }
        }
        return keys;
    }

    private static Set<String> documented(String prefix, String text) {
        Set<String> keys = new TreeSet<>();
        Matcher matcher =
                Pattern.compile("`(" + prefix + "[a-z0-9.-]+[a-z0-9])`").matcher(text);
        while (matcher.find()) {
            keys.add(matcher.group(1));
        }
        return keys;
    }

    private static void compare(String packageName, String prefix, String document)
            throws IOException, ReflectiveOperationException {
        Path file = House.root().resolve(document);
        Set<String> declared = declared(packageName);
        assertThat(declared).isNotEmpty().allMatch(key -> key.matches(prefix + ".+"));
        assertThat(documented(prefix, Files.readString(file))).isEqualTo(declared);
    }

    @Test
    void everyOptionOfTheBackendIsDocumentedAndEveryDocumentedOneExists()
            throws IOException, ReflectiveOperationException {
        compare("io.drey.flink.state", STATE, "docs/reference/options.md");
    }

    @Test
    void everyOptionOfThePluginIsDocumentedAndEveryDocumentedOneExists()
            throws IOException, ReflectiveOperationException {
        compare("io.drey.flink.shuffle", SHUFFLE, "docs/reference/shuffle-options.md");
    }

    /** Configurations become nested YAML on YARN and Kubernetes, where a key has a value or keys below it. */
    @Test
    void noOptionIsTheBeginOfAnother() throws ReflectiveOperationException {
        for (String packageName : List.of("io.drey.flink.state", "io.drey.flink.shuffle")) {
            Set<String> keys = declared(packageName);
            assertThat(keys).noneMatch(key -> keys.stream().anyMatch(other -> other.startsWith(key + ".")));
        }
    }

    @Test
    void keysAreFoundInADocument() {
        assertThat(documented(
                        STATE,
                        "| `state.backend.drey.local-dirs` | `state.changelog.drey.memo` | `state.backend.type` |"))
                .containsExactly("state.backend.drey.local-dirs", "state.changelog.drey.memo");
    }
}
