package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The list of excluded tests names tests that exist, and users can read it. */
class ExcludedTestsTest {

    private static final Path DOCUMENT = Path.of("..", "..", "docs", "internals", "testing.md");

    @Test
    void everyExcludedTestExists() throws ClassNotFoundException {
        for (String test : ExcludedTests.reasons().keySet()) {
            String suite = test.substring(0, test.indexOf('.'));
            String method = test.substring(test.indexOf('.') + 1);
            Class<?> type = Class.forName(getClass().getPackageName() + "." + suite);
            Stream<Method> methods = Stream.<Class<?>>iterate(type, c -> c != null, Class::getSuperclass)
                    .flatMap(c -> Arrays.stream(c.getDeclaredMethods()));
            assertThat(methods.map(Method::getName)).as(test).contains(method);
        }
    }

    @Test
    void everyExcludedTestIsDocumented() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(ExcludedTests.reasons().keySet())
                .allSatisfy(test -> assertThat(document)
                        .as("%s, which lists what is excluded and why", DOCUMENT)
                        .contains(test));
    }
}
