package io.drey.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Flink's own distribution, as the Python package {@code apache-flink-libraries} carries it: lib/ and opt/. */
final class FlinkDistribution {

    private static final String PACKAGE = "apache-flink-libraries";
    private static final Duration DOWNLOAD_LIMIT = Duration.ofMinutes(10);

    private final Path home;

    private FlinkDistribution(Path home) {
        this.home = home;
    }

    /** Downloads it with pip and unpacks it, unless that was done before. */
    static FlinkDistribution in(Path directory, String version) throws IOException, InterruptedException {
        Path home = directory.resolve("flink-" + version);
        if (!Files.isDirectory(home)) {
            Files.createDirectories(directory);
            Path wheel = download(directory, version);
            Path partial = directory.resolve("partial");
            if (Files.exists(partial)) {
                DirectoryTree.delete(partial);
            }
            unpack(wheel, partial);
            Files.move(partial, home);
            Files.delete(wheel);
        }
        return new FlinkDistribution(home);
    }

    /** What Flink's scripts put on the class path. */
    List<Path> lib() throws IOException {
        return jars("lib");
    }

    /** The optional jar whose name begins like this. */
    Path opt(String name) throws IOException {
        return jars("opt").stream()
                .filter(jar -> jar.getFileName().toString().startsWith(name))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No " + name + " in opt/ of " + home));
    }

    private List<Path> jars(String directory) throws IOException {
        return DirectoryTree.files(home.resolve(directory)).stream()
                .filter(file -> file.toString().endsWith(".jar"))
                .toList();
    }

    private static Path download(Path directory, String version) throws IOException, InterruptedException {
        List<String> command = List.of(
                "pip",
                "download",
                "--no-deps",
                "--only-binary",
                ":all:",
                "--dest",
                directory.toString(),
                PACKAGE + "==" + version);
        Process pip = new ProcessBuilder(command).inheritIO().start();
        try {
            if (!pip.waitFor(DOWNLOAD_LIMIT.toSeconds(), TimeUnit.SECONDS) || pip.exitValue() != 0) {
                throw new IOException("Cannot download Flink: " + String.join(" ", command)
                        + (pip.isAlive() ? " takes longer than " + DOWNLOAD_LIMIT : " ended with " + pip.exitValue()));
            }
        } finally {
            pip.destroyForcibly();
        }
        return DirectoryTree.files(directory).stream()
                .filter(file -> file.toString().endsWith(".whl"))
                .findFirst()
                .orElseThrow(() -> new IOException("pip left no wheel of " + PACKAGE + " in " + directory));
    }

    private static void unpack(Path wheel, Path directory) throws IOException {
        String root = "pyflink/";
        try (ZipFile zip = new ZipFile(wheel.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (name.startsWith(root + "lib/") || name.startsWith(root + "opt/")) {
                    Path file = directory.resolve(name.substring(root.length())).normalize();
                    if (!file.startsWith(directory)) {
                        throw new IOException(wheel + " holds a file outside of its root: " + name);
                    }
                    if (!entry.isDirectory()) {
                        Files.createDirectories(file.getParent());
                        try (InputStream bytes = zip.getInputStream(entry)) {
                            Files.copy(bytes, file);
                        }
                    }
                }
            }
        }
    }
}
