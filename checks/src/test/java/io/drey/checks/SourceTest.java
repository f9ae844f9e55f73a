package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes, names, package documents and leftovers of the sources. */
final class SourceTest {
    private static final int FILE_LINES_MAX = 600;
    private static final int METHOD_LINES_MAX = 70;

    private static final Pattern PACKAGE_DOC = Pattern.compile("^\\s*/\\*\\*(.*?)\\*/\\s*package ", Pattern.DOTALL);
    private static final Pattern EMPTY_NAME = Pattern.compile("(Util|Utils|Helper|Manager|Impl|Base|Common|V2)$");

    /** Assembled, so that this file is not found. */
    private static final Pattern LEFTOVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");

    @TempDir
    Path scratch;

    @Test
    void filesAreShort() throws IOException {
        List<String> wrong = new ArrayList<>();
        List<Path> files = House.files(".java");
        for (Path file : files) {
            int lines = Files.readAllLines(file).size();
            if (lines > FILE_LINES_MAX) {
                wrong.add(House.relative(file) + " has " + lines + " lines");
            }
        }
        assertThat(files).hasSizeGreaterThan(50);
        assertThat(wrong).isEmpty();
    }

    @Test
    void methodsAreShort() throws IOException {
        assertThat(longMethods(Source.parse(House.files(".java")))).isEmpty();
    }

    private static List<String> longMethods(List<Source> sources) {
        List<String> wrong = new ArrayList<>();
        for (Source source : sources) {
            for (Source.Method method : source.methods()) {
                if (method.lines() > METHOD_LINES_MAX) {
                    wrong.add(source.file() + ": " + method.name() + " has " + method.lines() + " lines");
                }
            }
        }
        return wrong;
    }

    @Test
    void aLongMethodWouldBeFound() throws IOException {
        String longest = "class A {\n int f() {\n" + "  // line\n".repeat(METHOD_LINES_MAX - 2) + " }\n}\n";
        Path fits = Files.writeString(scratch.resolve("A.java"), longest);
        assertThat(longMethods(Source.parse(List.of(fits)))).isEmpty();
        Path tooLong = Files.writeString(scratch.resolve("A.java"), longest.replace("f() {", "f() {\n"));
        assertThat(longMethods(Source.parse(List.of(tooLong)))).hasSize(1);
    }

    @Test
    void everyPackageSaysInOneSentenceWhatItIsFor() throws IOException {
        TreeSet<Path> packages = new TreeSet<>();
        for (Path file : House.mainSources()) {
            packages.add(file.getParent());
        }
        List<String> wrong = new ArrayList<>();
        for (Path directory : packages) {
            Path info = directory.resolve("package-info.java");
            String found = Files.exists(info) ? sentence(Files.readString(info)) : null;
            if (found == null || !isOneSentence(found)) {
                wrong.add(House.relative(directory) + ": expected one sentence, found " + found);
            }
        }
        assertThat(packages).hasSizeGreaterThan(5);
        assertThat(wrong).isEmpty();
    }

    /** A room is made when its first class arrives. */
    @Test
    void noPackageIsEmpty() throws IOException {
        List<Path> sources = House.mainSources();
        List<String> empty = new ArrayList<>();
        for (Path info : sources) {
            boolean alone = sources.stream()
                            .filter(other -> other.getParent().equals(info.getParent()))
                            .count()
                    == 1;
            if (info.endsWith("package-info.java") && alone) {
                empty.add(House.relative(info));
            }
        }
        assertThat(empty).isEmpty();
    }

    private static String sentence(String packageInfo) {
        Matcher matcher = PACKAGE_DOC.matcher(packageInfo);
        if (!matcher.find()) {
            return null;
        }
        return matcher.group(1).replaceAll("\\s*\\n\\s*\\*\\s*", " ").trim();
    }

    private static boolean isOneSentence(String text) {
        return text.endsWith(".") && text.length() > 15 && !text.matches("(?s).*[.!?]\\s+\\p{Lu}.*");
    }

    @Test
    void sentencesAreToldFromOthers() {
        assertThat(isOneSentence("Blocks of entries: their encoding and search."))
                .isTrue();
        assertThat(isOneSentence("Blocks of entries. They are searched.")).isFalse();
        assertThat(isOneSentence("Blocks of entries and their search")).isFalse();
        assertThat(isOneSentence("Blocks.")).isFalse();
        assertThat(sentence("/** Blocks of\n * entries. */\npackage a;")).isEqualTo("Blocks of entries.");
        assertThat(sentence("package a;")).isNull();
    }

    @Test
    void namesSaySomething() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Source source : Source.parse(House.mainSources())) {
            for (String type : source.types()) {
                if (EMPTY_NAME.matcher(type).find()) {
                    wrong.add(source.file() + ": " + type);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(EMPTY_NAME.matcher("StoreManager").find()).isTrue();
    }

    @Test
    void mainCodeHasNoLeftovers() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : House.files(".java", ".xml", ".sh", ".properties")) {
            if (House.isMain(file) && LEFTOVER.matcher(Files.readString(file)).find()) {
                wrong.add(House.relative(file));
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(LEFTOVER.matcher("// TO" + "DO: later").find()).isTrue();
        assertThat(LEFTOVER.matcher("TODOS").find()).isFalse();
    }
}
