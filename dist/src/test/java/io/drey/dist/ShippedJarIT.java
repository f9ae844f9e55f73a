package io.drey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What is in the jar for Flink's lib/, and what is not. */
class ShippedJarIT {

    private static final String FACTORY = "io/drey/flink/state/DreyStateBackendFactory.class";
    private static final String SHUFFLE_FACTORY = "io/drey/flink/shuffle/DreyShuffleServiceFactory.class";

    @Test
    void holdsTheBackendAndAllItNeeds() throws IOException {
        assertThat(entries())
                .contains(FACTORY, SHUFFLE_FACTORY)
                .anyMatch(entry -> entry.startsWith("io/drey/foundation/"))
                .anyMatch(entry -> entry.startsWith("io/drey/files/"))
                .anyMatch(entry -> entry.startsWith("io/drey/store/"))
                .anyMatch(entry -> entry.startsWith("io/drey/checkpoint/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shuffle/client/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shuffle/protocol/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shaded/netty/channel/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shaded/aircompressor/lz4/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shaded/aircompressor/zstd/"));
    }

    @Test
    void holdsNothingElse() throws IOException {
        assertThat(entries()).allMatch(entry -> entry.startsWith("io/drey/") || entry.startsWith("META-INF/"));
        assertThat(entries())
                .noneMatch(entry -> entry.startsWith("io/drey/jobs/"))
                .noneMatch(entry -> entry.startsWith("io/drey/cli/"))
                .noneMatch(entry -> entry.startsWith("io/drey/shuffle/worker/"))
                .noneMatch(entry -> entry.startsWith("io/drey/testkit/"));
    }

    /** A build after another one once shipped the classes of that one. Relocation changes those with other packages. */
    @Test
    void holdsTheClassesOfThisBuild() throws IOException {
        Path root = BuiltFiles.shippedJar().getParent().getParent().getParent();
        try (JarFile jar = open()) {
            for (String module : List.of("foundation", "files", "store", "checkpoint", "keyed", "flink/state")) {
                Path classes = root.resolve(module).resolve("target/classes");
                for (Path each : DirectoryTree.files(classes.resolve("io"))) {
                    String built = Files.readString(each, StandardCharsets.ISO_8859_1);
                    if (!built.contains("io/airlift/")) {
                        String entry = classes.relativize(each).toString();
                        assertThat(text(jar, entry).equals(built)).as(entry).isTrue();
                    }
                }
            }
        }
    }

    @Test
    void namesNoClassOfTheThirdPartyByItsOldName() throws IOException {
        try (JarFile jar = open()) {
            for (String entry : entries()) {
                if (entry.endsWith(".class")) {
                    assertThat(text(jar, entry)).as(entry).doesNotContain("io/airlift/", "Lio/netty/");
                }
            }
        }
    }

    /** Its network library was moved into a package of its own: it still finds all its parts. */
    @Test
    void theShuffleClientRunsWithNothingBesideTheJar() throws Exception {
        URL[] jar = {BuiltFiles.shippedJar().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
            Class<?> options = loader.loadClass("io.drey.shuffle.client.ClientOptions");
            Class<?> client = loader.loadClass("io.drey.shuffle.client.ShuffleClient");
            Object made = options.getConstructors()[0].newInstance(List.of(), null, 1, Duration.ofSeconds(1));
            Object open = client.getMethod("open", options).invoke(null, made);
            assertThat(client.getMethod("connections").invoke(open)).isEqualTo(0);
            client.getMethod("close").invoke(open);
        }
    }

    @Test
    void carriesItsLicences() throws IOException {
        try (JarFile jar = open()) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE"))
                    .contains("Drey")
                    .contains("aircompressor")
                    .contains("Netty");
            assertThat(entries()).contains("io/drey/shaded/netty/util/internal/logging/MessageFormatter.class");
            assertThat(text(jar, "META-INF/NOTICE")).contains("META-INF/licenses/LICENSE.slf4j.txt");
            assertThat(text(jar, "META-INF/licenses/LICENSE.slf4j.txt")).contains("QOS.ch", "free of charge");
        }
    }

    private static List<String> entries() throws IOException {
        try (JarFile jar = open()) {
            return jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
        }
    }

    private static String text(JarFile jar, String entry) throws IOException {
        assertThat(jar.getEntry(entry)).as(entry).isNotNull();
        try (InputStream bytes = jar.getInputStream(jar.getEntry(entry))) {
            return new String(bytes.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static JarFile open() throws IOException {
        return new JarFile(BuiltFiles.shippedJar().toFile());
    }
}
