package io.drey.dist;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Where the build put what the tests need; it says so in system properties, set in the pom. */
final class BuiltFiles {

    private BuiltFiles() {}

    /** The jar for Flink's lib/. */
    static Path shippedJar() {
        return existing("drey.dist.jar");
    }

    /** The jar with the jobs, as a user would submit it. */
    static Path jobJar() {
        return existing("drey.dist.job");
    }

    /** The jars of Flink, without anything of Drey. */
    static List<Path> flinkJars() {
        try {
            return Arrays.stream(Files.readString(existing("drey.dist.classpath"))
                            .trim()
                            .split(File.pathSeparator))
                    .map(Path::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Flink's own distribution; downloaded if it is not there. */
    static FlinkDistribution flinkDistribution() throws IOException, InterruptedException {
        return FlinkDistribution.in(
                Path.of(property("drey.dist.distribution")).toAbsolutePath(), property("drey.dist.flink.version"));
    }

    /** Flink's SQL gateway, which its SQL client runs; part of the profile with the distribution. */
    static Path sqlGateway() {
        return existing("drey.dist.sql.gateway");
    }

    /** Where a test may write; it survives the test, so that logs can be read. */
    static Path workDirectory(String test) throws IOException {
        Path directory = Path.of(property("drey.dist.work")).resolve(test);
        if (Files.exists(directory)) {
            DirectoryTree.delete(directory);
        }
        return Files.createDirectories(directory).toAbsolutePath();
    }

    private static Path existing(String property) {
        Path path = Path.of(property(property));
        if (!Files.exists(path)) {
            throw new IllegalStateException(
                    path + " (" + property + ") does not exist: run this test with mvn verify, which builds it first");
        }
        return path.toAbsolutePath();
    }

    private static String property(String name) {
        String value = System.getProperty(name);
        if (value == null) {
            throw new IllegalStateException(
                    "The system property " + name + " is not set: run this test with mvn verify, which sets it");
        }
        return value;
    }
}
