package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each command that guides and README show is one that this version understands, with all its options. */
class GuideCommandsTest {
    private static final int COMMANDS_MIN = 40;
    private static final Path HOME = Path.of("..");

    /** To the end of the line or of the code, without what the shell does with it. */
    private static final Pattern COMMAND = Pattern.compile("\\./drey( [^`\\n]*)");

    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private static List<Path> documents() throws IOException {
        try (Stream<Path> guides = Files.list(HOME.resolve("docs/guide"))) {
            return Stream.concat(Stream.of(HOME.resolve("README.md")), guides.sorted())
                    .toList();
        }
    }

    private static List<String> words(String command) {
        String alone = command.replaceAll("<[^>]*>", "x").replaceFirst(" +(#|\\||>|&&).*", "");
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(alone); word.find(); ) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words;
    }

    @Test
    void commandsOfGuidesAreUnderstood() throws IOException {
        int commands = 0;
        for (Path document : documents()) {
            String text = Files.readString(document).replace("\\\n", "");
            for (Matcher found = COMMAND.matcher(text); found.find(); commands++) {
                List<String> words = words(found.group(1));
                assertThatCode(() -> Drey.commandLine().parseArgs(words.toArray(String[]::new)))
                        .as(document + ": ./drey " + String.join(" ", words))
                        .doesNotThrowAnyException();
            }
        }
        assertThat(commands).isGreaterThan(COMMANDS_MIN);
    }
}
