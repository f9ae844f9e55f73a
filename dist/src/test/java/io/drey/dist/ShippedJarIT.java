package io.drey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What is in the jar for Flink's lib/, and what is not. */
class ShippedJarIT {

    private static final String FACTORY = "io/drey/flink/state/DreyStateBackendFactory.class";

    @Test
    void holdsTheBackendAndAllItNeeds() throws IOException {
        assertThat(entries())
                .contains(FACTORY)
                .anyMatch(entry -> entry.startsWith("io/drey/foundation/"))
                .anyMatch(entry -> entry.startsWith("io/drey/files/"))
                .anyMatch(entry -> entry.startsWith("io/drey/store/"))
                .anyMatch(entry -> entry.startsWith("io/drey/checkpoint/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shaded/aircompressor/lz4/"))
                .anyMatch(entry -> entry.startsWith("io/drey/shaded/aircompressor/zstd/"));
    }

    @Test
    void holdsNothingElse() throws IOException {
        assertThat(entries()).allMatch(entry -> entry.startsWith("io/drey/") || entry.startsWith("META-INF/"));
        assertThat(entries())
                .noneMatch(entry -> entry.startsWith("io/drey/jobs/"))
                .noneMatch(entry -> entry.startsWith("io/drey/cli/"))
                .noneMatch(entry -> entry.startsWith("io/drey/testkit/"));
    }

    @Test
    void namesNoClassOfTheThirdPartyByItsOldName() throws IOException {
        try (JarFile jar = open()) {
            for (String entry : entries()) {
                if (entry.endsWith(".class")) {
                    assertThat(text(jar, entry)).as(entry).doesNotContain("io/airlift/");
                }
            }
        }
    }

    @Test
    void carriesItsLicences() throws IOException {
        try (JarFile jar = open()) {
            assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
            assertThat(text(jar, "META-INF/NOTICE")).contains("Drey").contains("aircompressor");
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
