package io.drey.testkit;

import java.nio.file.Files;
import java.nio.file.Path;

/** The command line that runs one test again, from the project's root. */
final class RepeatCommand {
    private RepeatCommand() {}

    static String of(Class<?> test, String method) {
        // A lambda's method is no test: then the whole class is repeated.
        String name = method.startsWith("lambda$") ? test.getSimpleName() : test.getSimpleName() + "#" + method;
        return "mvn test -pl " + module(Path.of("").toAbsolutePath()) + " -am -Dtest='" + name
                + "' -Dsurefire.failIfNoSpecifiedTests=false";
    }

    /** The module's path below the root, which is the highest directory above it with a pom. */
    static String module(Path directory) {
        Path root = directory;
        while (root.getParent() != null && isInside(root.getParent())) {
            root = root.getParent();
        }
        String relative = root.relativize(directory).toString();
        return relative.isEmpty() ? "." : relative;
    }

    /** A module may lie in a directory without a pom, one deep. */
    private static boolean isInside(Path parent) {
        Path above = parent.getParent();
        boolean hasPomAbove = above != null && Files.exists(above.resolve("pom.xml"));
        return hasPomAbove || Files.exists(parent.resolve("pom.xml"));
    }
}
