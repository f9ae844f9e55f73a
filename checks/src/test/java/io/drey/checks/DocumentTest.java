package io.drey.checks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the documents refer to exists: classes in backticks, and files that they link to. */
final class DocumentTest {
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

    /**
     * A class name, alone or with a member: two capitals with small letters between, so that constants are left out.
     */
    private static final Pattern TYPE =
            Pattern.compile("(?:[a-z][\\w]*\\.)*([A-Z][a-z]\\w*)(?:[.#]\\w+(?:\\([^)]*\\))?)*");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final Pattern PATH = Pattern.compile("docs/[a-z0-9/-]+\\.md");
    private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");

    private static List<Path> documents() throws IOException {
        return House.files(".md");
    }

    private static Set<String> typesOfOurs() throws IOException {
        Set<String> types = new TreeSet<>();
        Source.parse(House.files(".java")).forEach(source -> types.addAll(source.types()));
        return types;
    }

    /** JDK and Flink types, and words in backticks that look like types: one a line. */
    private static Set<String> typesOfOthers() throws IOException {
        try (InputStream in = DocumentTest.class.getResourceAsStream("/types-of-others.txt")) {
            return new TreeSet<>(new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList());
        }
    }

    private static List<String> typesIn(String text) {
        List<String> types = new ArrayList<>();
        Matcher code = CODE.matcher(FENCE.matcher(text).replaceAll(""));
        while (code.find()) {
            Matcher type = TYPE.matcher(code.group(1));
            if (type.matches()) {
                types.add(type.group(1));
            }
        }
        return types;
    }

    @Test
    void classesThatDocumentsNameExist() throws IOException {
        Set<String> ours = typesOfOurs();
        Set<String> others = typesOfOthers();
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Path document : documents()) {
            for (String type : typesIn(Files.readString(document))) {
                seen++;
                if (!ours.contains(type) && !others.contains(type)) {
                    wrong.add(House.relative(document) + " names " + type);
                }
            }
        }
        assertThat(seen).isGreaterThan(20);
        assertThat(wrong).isEmpty();
    }

    /** A type that is ours needs no allowance, and one that nobody names any more needs none either. */
    @Test
    void theListOfOthersHasNothingTooMuch() throws IOException {
        Set<String> needed = new TreeSet<>();
        for (Path document : documents()) {
            needed.addAll(typesIn(Files.readString(document)));
        }
        needed.removeAll(typesOfOurs());
        assertThat(needed).containsAll(typesOfOthers());
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Path document : documents()) {
            Matcher link =
                    LINK.matcher(FENCE.matcher(Files.readString(document)).replaceAll(""));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains("://") && !target.startsWith("mailto:")) {
                    seen++;
                    if (!Files.exists(document.resolveSibling(target))) {
                        wrong.add(House.relative(document) + " links to " + target);
                    }
                }
            }
        }
        assertThat(seen).isGreaterThan(10);
        assertThat(wrong).isEmpty();
    }

    @Test
    void documentsThatCodeNamesExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Path source : House.mainSources()) {
            Matcher path = PATH.matcher(Files.readString(source));
            while (path.find()) {
                seen++;
                if (!Files.exists(House.root().resolve(path.group()))) {
                    wrong.add(House.relative(source) + " names " + path.group());
                }
            }
        }
        assertThat(seen).isPositive();
        assertThat(wrong).isEmpty();
    }

    @Test
    void typesAreToldFromOtherCode() {
        assertThat(typesIn("`Store` `StoreImage.decode` `Seeds#cases(int)` `io.drey.files.Directory`"))
                .containsExactly("Store", "StoreImage", "Seeds", "Directory");
        assertThat(typesIn("`NO_CLAIM` `./drey demo` `last-seen` `pom.xml` `Map<K, V>` `CLAIM`"))
                .isEmpty();
        assertThat(typesIn("```\n`Store`\n```\n")).isEmpty();
    }
}
