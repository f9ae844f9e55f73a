package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Classes that only a job knows: compiled by a test, found by a loader of their own. */
final class JobClasses {
    private static final String ELEMENT = "Element";

    private JobClasses() {}

    /** A loader of a class with a text, made in an empty directory. */
    static URLClassLoader compile(Path directory) throws IOException {
        return compile(directory, "public String text = \"text\";");
    }

    /** A loader of a class of the same name with these fields, made in a directory of its own. */
    static URLClassLoader compile(Path directory, String fields) throws IOException {
        Path source = Files.createDirectories(directory).resolve(ELEMENT + ".java");
        Files.writeString(source, "public class Element implements java.io.Serializable { " + fields + " }");
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
                .isZero();
        return new URLClassLoader(new URL[] {directory.toUri().toURL()}, JobClasses.class.getClassLoader());
    }

    /** That class. */
    static Class<?> type(ClassLoader loader) throws ReflectiveOperationException {
        return loader.loadClass(ELEMENT);
    }

    /** A new object of that class. */
    static Object element(ClassLoader loader) throws ReflectiveOperationException {
        return type(loader).getDeclaredConstructor().newInstance();
    }
}
