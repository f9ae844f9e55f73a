package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.junit.jupiter.api.Test;

/** The options that the code declares and those that docs/reference/options.md documents are the same. */
final class OptionsTest {
    private static final String PREFIX = "state.backend.drey.";
    private static final Pattern DOCUMENTED = Pattern.compile("`(" + Pattern.quote(PREFIX) + "[a-z0-9.-]+)`");

    private static Set<String> declared() throws ReflectiveOperationException {
        Set<String> keys = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter().importPackages("io.drey.flink.state")) {
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

    private static Set<String> documented(String text) {
        Set<String> keys = new TreeSet<>();
        Matcher matcher = DOCUMENTED.matcher(text);
        while (matcher.find()) {
            keys.add(matcher.group(1));
        }
        return keys;
    }

    @Test
    void everyOptionIsDocumentedAndEveryDocumentedOptionExists() throws IOException, ReflectiveOperationException {
        Path document = House.root().resolve("docs/reference/options.md");
        Set<String> declared = declared();
        assertThat(declared).isNotEmpty().allMatch(key -> key.startsWith(PREFIX));
        assertThat(documented(Files.readString(document))).isEqualTo(declared);
    }

    @Test
    void keysAreFoundInADocument() {
        assertThat(documented("| `state.backend.drey.local-dirs` | x | `state.backend.type` |"))
                .containsExactly("state.backend.drey.local-dirs");
    }
}
