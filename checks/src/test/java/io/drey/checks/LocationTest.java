package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** No file names a machine: neither a directory of whoever wrote it nor a host that serves packages to him. */
final class LocationTest {
    private static final Pattern MACHINE_PATH = Pattern.compile("(?<![\\w.$}*-])/(work|root|home|Users)/[\\w.-]");
    private static final Pattern HOST = Pattern.compile("\\b(?:https?|git|ssh|s3)://([\\w.-]+)");

    /** Public places of documents and of names of formats, placeholders, and the machine itself. */
    private static final Set<String> HOSTS = Set.of(
            "www.apache.org",
            "maven.apache.org",
            "nightlies.apache.org",
            "issues.apache.org",
            "flink.apache.org",
            "www.w3.org",
            "www.bts.gov",
            "www.transtats.bts.gov",
            "github.com",
            "example.org",
            "bucket",
            "localhost",
            "127.0.0.1");

    private static List<String> findings(String text) {
        List<String> found = new ArrayList<>();
        Matcher path = MACHINE_PATH.matcher(text);
        while (path.find()) {
            found.add(path.group());
        }
        Matcher host = HOST.matcher(text);
        while (host.find()) {
            if (!HOSTS.contains(host.group(1))) {
                found.add(host.group());
            }
        }
        return found;
    }

    @Test
    void noFileNamesAMachine() throws IOException {
        List<String> wrong = new ArrayList<>();
        int texts = 0;
        for (Path file : House.files("")) {
            String text = textOf(file);
            if (text != null && !file.endsWith("LocationTest.java")) {
                texts++;
                findings(text).forEach(found -> wrong.add(House.relative(file) + ": " + found));
            }
        }
        assertThat(texts).isGreaterThan(100);
        assertThat(wrong).isEmpty();
    }

    /** The file's text, or null if it is none. */
    private static String textOf(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            return text.indexOf('\0') >= 0 ? null : text;
        } catch (MalformedInputException e) {
            return null;
        }
    }

    @Test
    void machinesWouldBeFound() {
        assertThat(findings("see /work/main/pom.xml")).hasSize(1);
        assertThat(findings("path=/root/.m2")).hasSize(1);
        assertThat(findings("src/test/work/a and $dir/work/b")).isEmpty();
        assertThat(findings("https://mirror.example/maven2")).hasSize(1);
        assertThat(findings("http://localhost:8081 https://www.apache.org/licenses/"))
                .isEmpty();
    }
}
