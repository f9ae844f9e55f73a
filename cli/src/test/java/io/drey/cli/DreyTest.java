package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Help, and what a user reads who asks for the impossible: one sentence, and an exit code that is not zero. */
class DreyTest {
    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @Test
    void helpNamesEveryCommandAndOption() {
        assertThat(shell.run("--help")).isZero();
        assertThat(shell.out()).contains("demo", "compare");

        assertThat(shell.run()).isEqualTo(2);
        assertThat(shell.err()).contains("demo", "compare");

        assertThat(shell.run("demo", "--help")).isZero();
        assertThat(shell.out())
                .contains("last-seen", "weather-join", "flight-sample")
                .contains("drey, rocksdb, hashmap, forst")
                .contains("--backend", "--input", "--repeat", "--parallelism", "--managed-memory")
                .contains("--checkpoint-interval", "--checkpoint-dir", "--fail-after", "--restore", "--json");
    }

    @Test
    void everyCommandExplainsItself() {
        explains(List.of(), Drey.commandLine());
    }

    private void explains(List<String> path, CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        List<String> asked = new ArrayList<>(path);
        asked.add("--help");
        assertThat(shell.run(asked.toArray(new String[0]))).as(name).isZero();
        assertThat(shell.out()).startsWith("Usage: " + name).contains("--help");
        command.getSubcommands().forEach((sub, of) -> {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(sub);
            explains(deeper, of);
        });
    }

    @Test
    void versionsAreThoseOfWhatRuns() {
        assertThat(shell.run("--version")).isZero();
        assertThat(shell.out())
                .matches("Drey .+\\nFlink 2\\.3\\.\\d+\\nJava .+ of .+\\n")
                .contains(System.getProperty("java.home"));
    }

    private static ProcessBuilder versions() {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Drey.class.getName(),
                "--version");
    }

    private static String errors(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void outputThatIsLostIsAFailure() throws Exception {
        File full = new File("/dev/full");
        assumeTrue(full.exists(), "this system has no device that is always full");
        Process process = versions().redirectOutput(full).start();
        assertThat(errors(process))
                .startsWith("drey: The output could not be written to its end")
                .hasLineCount(1);
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** As 'head' does. */
    @Test
    void aReaderThatHasSeenEnoughIsNoFailure() throws Exception {
        Process process = versions().start();
        process.getInputStream().close();
        assertThat(errors(process)).isEmpty();
        assertThat(process.waitFor()).isZero();
    }

    /** Else names and keys would come out as question marks, and different ones as the same. */
    @Test
    void lettersArePrintedWhereTheEnvironmentNamesNoCharacterSet() {
        assertThat(Drey.charset(StandardCharsets.US_ASCII)).isEqualTo(StandardCharsets.UTF_8);
        assertThat(Drey.charset(StandardCharsets.ISO_8859_1)).isEqualTo(StandardCharsets.ISO_8859_1);
    }

    @Test
    void wrongOptionsAreUsageErrors() {
        refuses("Unknown option: '--bakend'", "demo", "--bakend", "drey");
        refuses(
                "There is no command 'dmo'; expected demo or compare or inspect or doctor or checkpoints or shuffle-worker or shuffle.",
                "dmo");
        refuses("Expected an option, found 'twice'.", "demo", "last-seen", "twice");
        refuses("Value for option '-D' (KEY=VALUE) should be in KEY=VALUE format", "demo", "-D", "nothing");
        refuses("Wrong value for -D: expected KEY=VALUE, found =bar", "demo", "-D", "=bar");
        refuses("Invalid value for option '--backend'", "demo", "--backend", "dray");
        refuses("There is no job 'last'; expected last-seen, weather-join, flight-sample", "demo", "last");
        refuses("'x' is not an int", "demo", "--repeat", "x");
        refuses("Wrong value for --repeat: expected 1 to 1000000, found 0", "demo", "--repeat", "0");
        refuses("Wrong value for --parallelism: expected 1 to 32, found 33", "demo", "--parallelism", "33");
        refuses("expected a size like 64m", "demo", "--managed-memory", "64");
        refuses(
                "Wrong value for --managed-memory: expected more than nothing, found 0m.",
                "demo",
                "--managed-memory",
                "0m");
        refuses(" of this machine, found 99999999g.", "demo", "--managed-memory", "99999999g");
        refuses("expected a duration like 500ms", "demo", "--checkpoint-interval", "soon");
        refuses("--checkpoint-interval: expected at least 10ms, found 1ms", "demo", "--checkpoint-interval", "1ms");
        refuses("at least 1s, found 900ms.", "compare", "--measure", "900ms");
        refuses("at least 100ms, found 0min.", "compare", "--fill-max", "0min");
        refuses("at least 256m, found 1 MB.", "compare", "--heap", "1 MB");
        refuses("at least 256k, found 10k.", "compare", "--iops", "100", "--bandwidth", "10k");
        refuses("Wrong value for --fail-after: expected at least 1, found 0", "demo", "--fail-after", "0");
        refuses("Wrong value for --stop-after: expected at least 1, found -5", "demo", "--stop-after", "-5");
        refuses("Wrong value for --web-ui: expected a port from 0 to 65535", "demo", "--web-ui", "70000");
        refuses("Missing required parameter for option '--restore'", "demo", "--restore");
    }

    @Test
    void optionsThatWouldDoNothingAreRefused() {
        refuses("--verify and --scan read all of it", "inspect", "x", "--verify", "--key", "a");
        refuses("show entries: give one of them", "inspect", "x", "--scan", "--export", "csv");
        refuses("--web shows all on its page", "inspect", "x", "--web", "--scan");
        refuses("--web shows all on its page", "inspect", "x", "--web", "--sample", "3");
        refuses("--operator and --state need --scan", "inspect", "x", "--operator", "a");
        refuses("--operator and --state need --scan", "inspect", "x", "--state", "a", "--verify");
        refuses("--job, --for and --watch need --rest", "doctor", "--for", "20s");
        refuses("--json does not go with --key", "inspect", "x", "--json", "--export", "csv");
        refuses("--iops is about a comparison that runs", "compare", "--from", "x.json", "--iops", "100");
        String earlier = directory.resolve("typo/comparison.json").toString();
        assertThat(shell.run("compare", "--from", earlier)).isOne();
        assertThat(shell.err()).contains("found no such file");
        assertThat(directory.resolve("typo")).doesNotExist();
        assertThat(shell.run("inspect", "nix", "--verify", "--scan", "--state", "a"))
                .as("what it can do")
                .isOne();
    }

    private void refuses(String part, String... arguments) {
        assertThat(shell.run(arguments)).as(part).isEqualTo(2);
        assertThat(shell.err()).startsWith("drey: ").contains(part).containsPattern("See 'drey.* --help'\\.\n$");
        assertThat(shell.err().lines()).hasSize(1);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void whatIsMissingIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        fails("The directory " + file + " cannot be used: ", "--checkpoint-dir", "file");
        assertThat(shell.err()).contains("file is a file. Name another one with --checkpoint-dir.");
        assertThat(directory.resolve("work")).doesNotExist();
        fails("The input " + directory.resolve("nix") + " is not a directory.", "--input", "nix");
        fails("flights.csv.gz does not exist or cannot be read", "--input", ".");
        fails("There is no checkpoint at " + directory.resolve("nix") + ".", "--restore", "nix");
        fails("holds no checkpoint: it has no file _metadata.", "--restore", ".");
        Files.writeString(directory.resolve("flights.csv.gz"), "not gzip");
        fails("flights.csv.gz is malformed at line 1: expected a gzip file", "--input", ".");
    }

    /** A run takes minutes. */
    @Test
    void whatCannotBeWrittenAtTheEndIsSaidBeforeTheRun() {
        String expected = "nix/x.json: expected a file in a directory that is there and can be written to.";
        fails(expected, "--json", "nix/x.json");
        fails("expected a file in a directory that is there", "--json", ".");
        assertThat(shell.out()).isEmpty();
        assertThat(directory.resolve("work")).doesNotExist();
    }

    private void fails(String part, String option, String path) {
        String work = directory.resolve("work").toString();
        assertThat(shell.run("demo", option, directory.resolve(path).normalize().toString(), "--work-dir", work))
                .isEqualTo(1);
        assertThat(shell.err()).startsWith("drey: ").contains(part);
        assertThat(shell.err().lines()).hasSize(1);
    }
}
