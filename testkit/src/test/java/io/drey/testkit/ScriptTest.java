package io.drey.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScriptTest {
    @TempDir
    Path directory;

    private Path script(String text) throws IOException {
        return Files.writeString(directory.resolve("script.txt"), text);
    }

    /** Knows {@code echo}, which returns its input, and {@code sum a=… b=…}. */
    private static String interpret(ScriptCommand command) {
        return switch (command.name()) {
            case "echo" -> String.join("\n", command.input());
            case "sum" -> Long.toString(command.number("a") + command.number("b", 10));
            case "arguments" -> command.arguments() + " " + command.text("x", "none") + " " + command.has("y");
            default -> throw command.unknown();
        };
    }

    @Test
    void runsCommandsAndComparesTheirOutput() throws Exception {
        script("""
                # a comment

                sum a=1 b=2
                ----
                3

                sum a=1
                ----
                11

                echo
                one
                two
                ----
                one
                two

                echo
                ----

                arguments y x=1
                ----
                [y, x] 1 true
                """);
        Script.runAll(directory, () -> ScriptTest::interpret);
    }

    @Test
    void saysWhereWhatWasExpectedAndWhatFound() throws IOException {
        Path file = script("sum a=1 b=2\n----\n3\n\nsum a=2 b=2\n----\n5\n");
        assertThatThrownBy(() -> Script.run(file, ScriptTest::interpret))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        file
                                + ":5: sum a=2 b=2\nexpected:\n5\nfound:\n4\nif that is right, rewrite the script by -Ddrey.script.rewrite");
    }

    @Test
    void outputWithEmptyLinesIsFenced() throws Exception {
        Path file = script("echo\none\n\ntwo\n----\n----\none\n\ntwo\n----\n----\n\nsum a=1\n----\n11\n");
        Script.run(file, ScriptTest::interpret);
        Path open = script("echo\none\n\ntwo\n----\n----\none\n\ntwo\n----\n");
        assertThatThrownBy(() -> Script.run(open, ScriptTest::interpret))
                .hasMessageContaining("expected ---- twice after the output");
    }

    @Test
    void rewritesOutputsAndNothingElse() throws Exception {
        Path file = script("# note\n\nsum a=1 b=2\n----\nwrong\n\necho\na\n\nb\n----\n\n# end\n");
        System.setProperty(Script.REWRITE, "");
        try {
            Script.run(file, ScriptTest::interpret);
        } finally {
            System.clearProperty(Script.REWRITE);
        }
        assertThat(Files.readString(file))
                .isEqualTo("# note\n\nsum a=1 b=2\n----\n3\n\necho\na\n\nb\n----\n----\na\n\nb\n----\n----\n\n# end\n");
        Script.run(file, ScriptTest::interpret);
    }

    @Test
    void refusesWhatItCannotUnderstand() throws IOException {
        for (List<String> bad : List.of(
                List.of("nonsense\n----\n", "expected a known command, found nonsense"),
                List.of("sum b=1\n----\n1\n", "expected an argument a, found only [b]"),
                List.of("sum a=1 a=2\n----\n1\n", "expected argument a once"),
                List.of("sum a=1\n", "expected ---- after the last command"),
                List.of("# nothing\n", "expected commands in "))) {
            Path file = script(bad.get(0));
            assertThatThrownBy(() -> Script.run(file, ScriptTest::interpret)).hasMessageContaining(bad.get(1));
        }
        Files.delete(directory.resolve("script.txt"));
        assertThatThrownBy(() -> Script.runAll(directory, () -> ScriptTest::interpret))
                .hasMessageContaining("expected scripts in ");
    }
}
