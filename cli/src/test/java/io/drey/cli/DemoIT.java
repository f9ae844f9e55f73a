package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.folder.FolderTree;
import io.drey.testkit.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo as a user runs it, in this process: exact results through failures, savepoints and changes of backend. */
class DemoIT {
    private static final int FLIGHTS = 8_000;
    private static final Pattern CONTINUE = Pattern.compile("To continue:\ndrey demo .*--restore '?(.*?)'?\n");

    private final Shell shell = new Shell();

    @TempDir
    private Path directory;

    @BeforeEach
    void writeInput() throws IOException {
        MadeUpFlights.write(directory.resolve("in put"), FLIGHTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"last-seen", "weather-join", "flight-sample"})
    void aRunThatFailsInTheMiddleIsExact(String job) throws IOException {
        failInTheMiddle(job, "drey");
    }

    @ParameterizedTest
    @CsvSource({"last-seen, rocksdb", "flight-sample, hashmap", "last-seen, forst"})
    @Tag(Effort.TAG)
    @Tag(Effort.LONG_TAG)
    void aRunThatFailsInTheMiddleIsExactOnOtherBackends(String job, String backend) throws IOException {
        failInTheMiddle(job, backend);
    }

    private void failInTheMiddle(String job, String backend) throws IOException {
        Path json = directory.resolve("report.json");

        int exit = demo(job, "--backend", backend, "--repeat", "4", "--fail-after", "20000", "--json", json.toString());

        assertThat(shell.err()).isEmpty();
        assertThat(exit).isZero();
        assertThat(shell.out())
                .contains(job + " on " + backend + ": the result is exact")
                .containsPattern("failed on purpose after 20,000 events, (recovered from checkpoint \\d+|before)");
        assertThat(json)
                .content()
                .contains("\"job\": \"" + job + "\"", "\"outcome\": \"exact\"", "\"failed\": true")
                .contains("\"failAfter\": 20000");
        assertNothingIsLeft(backend);
    }

    @ParameterizedTest
    @ValueSource(strings = {"last-seen", "flight-sample"})
    void aJobMovesBetweenBackends(String job) throws IOException {
        move(job);
    }

    @Test
    @Tag(Effort.TAG)
    @Tag(Effort.LONG_TAG)
    void aJoinMovesBetweenBackends() throws IOException {
        move("weather-join");
    }

    /** The state goes from backend to backend in canonical savepoints; the result is that of one undisturbed run. */
    private void move(String job) throws IOException {
        List<String> backends = List.of("rocksdb", "drey", "hashmap", "drey");
        // Long enough to be stopped in the first second on a fast machine; the join is slower than the others.
        String repeat = job.equals("weather-join") ? "12" : "20";
        String from = null;
        for (int i = 0; i < backends.size(); i++) {
            List<String> options = new ArrayList<>(List.of("--backend", backends.get(i), "--repeat", repeat));
            options.addAll(List.of("--parallelism", i % 2 == 0 ? "2" : "3"));
            if (from != null) {
                options.addAll(List.of("--restore", from));
            }
            boolean last = i == backends.size() - 1;
            if (!last) {
                options.addAll(List.of("--stop-after", Integer.toString((i + 1) * 20_000)));
            }

            int exit = demo(job, options.toArray(new String[0]));

            assertThat(shell.err()).as("step %d on %s", i, backends.get(i)).isEmpty();
            assertThat(exit).isZero();
            if (shell.out().contains("the result is exact")) {
                // A fast machine came to the end before the second was over.
                assertThat(i).as("the first step must stop").isPositive();
                return;
            }
            Matcher savepoint = CONTINUE.matcher(shell.out());
            assertThat(savepoint.find()).as(shell.out()).isTrue();
            assertThat(shell.out()).contains("--input '" + directory.resolve("in put") + "'");
            assertThat(savepoint.group()).doesNotContain("--stop-after");
            from = savepoint.group(1);
        }
        assertThat(shell.out()).contains("the result is exact");
    }

    @Test
    void aCheckpointOfAnotherRunADamagedOneAndAMissingBackendAreToldApart() throws IOException {
        demo("last-seen", "--backend", "drey", "--repeat", "30", "--stop-after", "1");
        Matcher savepoint = CONTINUE.matcher(shell.out());
        assertThat(savepoint.find()).as(shell.out()).isTrue();
        String from = savepoint.group(1);

        assertThat(demo("last-seen", "--backend", "drey", "--repeat", "29", "--restore", from))
                .isEqualTo(1);
        assertThat(shell.err()).contains("The checkpoint belongs to another run: it has --repeat 30");
        assertThat(shell.err().lines()).hasSize(1);

        assertThat(demo(
                        "last-seen",
                        "--repeat",
                        "30",
                        "--restore",
                        from,
                        "-D",
                        "state.backend.type=org.example.Backend"))
                .isEqualTo(1);
        assertThat(shell.err()).contains("needs class org.example.Backend, which is missing");
        assertThat(shell.err().lines()).hasSize(1);

        Path metadata = Path.of(from, "_metadata");
        byte[] bytes = Files.readAllBytes(metadata);
        Files.write(metadata, Arrays.copyOf(bytes, bytes.length / 2));
        assertThat(demo("last-seen", "--backend", "drey", "--repeat", "30", "--restore", from))
                .isEqualTo(1);
        assertThat(shell.err()).contains("The checkpoint at " + from + " cannot be restored: it is damaged");
        assertThat(shell.err().lines()).hasSize(1);
    }

    @Test
    void theRowsAreWrittenIfAskedFor() throws IOException {
        Path rows = directory.resolve("rows");

        assertThat(demo("flight-sample", "--backend", "hashmap", "--output", rows.toString()))
                .isZero();

        try (var files = Files.walk(rows)) {
            long lines = files.filter(file -> file.getFileName().toString().startsWith("part-"))
                    .mapToLong(file -> file.toFile().length())
                    .filter(length -> length > 0)
                    .count();
            assertThat(lines).isPositive();
        }
    }

    @Test
    void whatCannotBeDeletedIsToldAfterTheReport() throws IOException {
        Path inTheWay = Files.createDirectories(directory.resolve("work/demo.log/of-the-user"));

        assertThat(demo("last-seen", "--backend", "hashmap")).isZero();

        assertThat(shell.out()).contains("last-seen on hashmap: the result is exact");
        assertThat(shell.err())
                .startsWith("drey: Not everything that the run left could be deleted: ")
                .hasLineCount(1);
        assertThat(inTheWay).isDirectory();
        assertThat(directory.resolve("work")).isDirectoryNotContaining("glob:**run-*");
    }

    private int demo(String job, String... options) {
        List<String> arguments = new ArrayList<>(List.of("demo", job));
        arguments.addAll(List.of("--input", directory.resolve("in put").toString()));
        arguments.addAll(List.of("--work-dir", directory.resolve("work").toString()));
        arguments.addAll(List.of("--checkpoint-interval", "200ms", "--managed-memory", "32m"));
        arguments.addAll(List.of(options));
        return shell.run(arguments.toArray(new String[0]));
    }

    /**
     * Of other backends a file may stay: Flink forgets what a checkpoint wrote that is cancelled in the moment in which
     * it is done.
     */
    private void assertNothingIsLeft(String backend) throws IOException {
        Path work = directory.resolve("work");
        List<Path> left = new ArrayList<>();
        FolderTree.files(work, (file, attributes) -> left.add(file));
        if (left.isEmpty()) {
            assertThat(work).doesNotExist();
        }
        if (!backend.equals("drey")) {
            left.removeIf(file -> file.startsWith(work.resolve("checkpoints")));
        }
        assertThat(left).isEmpty();
    }
}
