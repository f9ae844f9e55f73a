package io.drey.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Class documents say what a class is, and names use the words of the glossary. */
final class WordTest {
    private static final Pattern QUESTION = Pattern.compile(
            "(?ms)/\\*\\*[\\s*]*(?:What|Whether|Who|How|Which)\\b(?:(?!\\*/).)*\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*"
                    + "(?:(?:public|protected|private|static|final|abstract|sealed|non-sealed)\\s+)*"
                    + "(?:class|interface|record|enum|@interface)\\s");

    private static List<String> forbidden(List<String> glossary) {
        List<String> words = new ArrayList<>();
        for (String line : glossary) {
            String[] cells = line.split("\\|", -1);
            if (cells.length == 6 && !cells[4].contains("not used for") && !cells[4].contains("---")) {
                for (String word : cells[4].replace("`", "").split("[,;]")) {
                    if (!word.isBlank()) {
                        words.add(word.trim());
                    }
                }
            }
        }
        return words;
    }

    /** Whether the name has the word: in the middle of it no capital begins in small letters. */
    private static boolean has(String name, String word) {
        return Pattern.compile(Pattern.quote(word) + "(?![a-z])").matcher(name).find();
    }

    @Test
    void classDocumentsAreNoQuestions() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : House.mainSources()) {
            if (QUESTION.matcher(Files.readString(file)).find()) {
                wrong.add(House.relative(file));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void namesUseTheWordsOfTheGlossary() throws IOException {
        List<String> words = forbidden(Files.readAllLines(House.root().resolve("docs/internals/glossary.md")));
        List<String> wrong = new ArrayList<>();
        for (Source source : Source.parse(House.mainSources())) {
            for (String type : source.types()) {
                words.stream().filter(word -> has(type, word)).forEach(word -> wrong.add(type + " has " + word));
            }
        }
        assertThat(words).hasSizeGreaterThan(5);
        assertThat(wrong).isEmpty();
    }

    @Test
    void wrongWordsWouldBeFound() {
        assertThat(QUESTION.matcher("/** What it is. */\n@A(1)\npublic final class B {")
                        .find())
                .isTrue();
        assertThat(QUESTION.matcher("/** Whatever. */\nclass B {").find()).isFalse();
        assertThat(QUESTION.matcher("/** What f does. */\nint f();\n/** A b. */ class B {")
                        .find())
                .isFalse();
        assertThat(forbidden(
                        List.of("| a | b | c | not used for |", "|---|---|---|---|", "| a | b | c | Seal, `Slice` |")))
                .containsExactly("Seal", "Slice");
        assertThat(has("SealTask", "Seal")).isTrue();
        assertThat(has("Sealed", "Seal")).isFalse();
    }
}
