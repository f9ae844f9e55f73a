package io.drey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.folder.FolderLock;
import io.drey.bench.folder.FolderTree;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import io.drey.bench.result.ShuffleComparison;
import io.drey.testkit.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code drey compare} with real cells, tiny ones, and with everything that can be wrong about the command. */
class CompareIT {
    /** Of the jobs of shuffle services, with little data. */
    private static final Map<String, Long> ROWS =
            Map.of("compressible", 262_144L, "concurrent-readers", 32_768L, "tpch", 1_600L);

    @TempDir
    private Path directory;

    private final Shell shell = new Shell();

    @Test
    void twoContendersAreComparedAndTheReportIsMadeAgainFromWhatWasMeasured() throws Exception {
        Path output = directory.resolve("report");
        List<Path> own = filesOfTheUser(directory.resolve("work"));
        int exit = shell.run(
                "compare",
                "--jobs=last-seen",
                "--contenders=drey,hashmap",
                "--scale=0.01",
                "--managed-memory=16m",
                "--heap=384m",
                "--heap-of-heap-state=384m",
                "--warm-up=1s",
                "--measure=2s",
                "--checkpoint-interval=500ms",
                "--repetitions=1",
                "--output=" + output,
                "--work-dir=" + directory.resolve("work"));
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).contains("last-seen on drey, filling", "[4/4] last-seen on hashmap, run 1");
        assertThat(shell.out()).contains("last-seen: all outputs agree on ", "The report: " + output);
        assertThat(shell.out()).contains("Measured once: how far another run would be off is not known");
        assertThat(exit).isEqualTo(CompareCommand.EXIT_COMPLETE);
        assertThat(filesBelow(directory.resolve("work"))).containsExactlyInAnyOrderElementsOf(own);

        Comparison comparison = ResultJson.read(output.resolve("comparison.json"), Comparison.class);
        assertThat(comparison.status()).isEqualTo("complete");
        assertThat(comparison.cells())
                .hasSize(4)
                .allSatisfy(cell -> assertThat(cell.error()).isNull());
        assertThat(comparison.command())
                .startsWith("./drey compare --jobs last-seen")
                .doesNotContain("--output");
        List<String> commands =
                comparison.cells().stream().map(CellResult::command).toList();
        assertThat(commands.get(3)).contains("--contenders hashmap", "--scale 0.01", "--managed-memory 16m");

        String report = Files.readString(output.resolve("report.html"));
        Files.delete(output.resolve("report.html"));
        assertThat(shell.run("compare", "--from=" + output.resolve("comparison.json")))
                .isZero();
        assertThat(output.resolve("report.html")).content().isEqualTo(report);
    }

    /** A directory that somebody has in use, with names that a comparison uses too. */
    private static List<Path> filesOfTheUser(Path work) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : List.of("checkpoints/a", "local/b", "cells/c", "shared/d", "run/e", "in-use")) {
            Path file = work.resolve(name);
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, "of the user"));
        }
        return files;
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        FolderTree.files(folder, (file, attributes) -> files.add(file));
        return files;
    }

    @Test
    void whatIsWrongWithACommandIsASentence() {
        assertWrong("There is no workload 'nothing'", "--jobs=nothing");
        assertWrong("There is no contender 'nothing'", "--contenders=nothing");
        assertWrong("The contender drey is named twice.", "--contenders=drey,drey");
        assertWrong("There is no contender: name some", "--contenders=none");
        assertWrong("Wrong value for --repetitions: expected 1 to 1000, found 0.", "--repetitions=0");
        assertWrong("Wrong value for --scale: expected more than 0", "--scale=0");
        assertWrong("Wrong value for --managed-memory: expected at least 4m", "--managed-memory=1m");
        assertWrong("Wrong value for --measure: expected at least 1s, found 10ms.", "--measure=10ms");
        assertWrong("Wrong value for --iops: expected at least 1, found 0.", "--iops=0");
        assertWrong("Wrong value for --publish: expected a name of small letters", "--publish=a/b");
        assertWrong("--bandwidth, --burst and --burst-iops need --iops.", "--burst=5");
    }

    @Test
    void aComparisonThatFindsAnotherOneLeavesNoDirectory() throws Exception {
        Path work = directory.resolve("work");
        Path output = directory.resolve("report");
        try (FolderLock lock = FolderLock.take(Files.createDirectories(work.resolve("drey-compare")))) {
            assertThat(lock).isNotNull();
            assertThat(shell.run("compare", "--quick", "--work-dir=" + work, "--output=" + output))
                    .isEqualTo(1);
        }
        assertThat(shell.err()).contains("found that another run works there").hasLineCount(1);
        assertThat(output).doesNotExist();
        assertThat(directory).isNotEmptyDirectory();
    }

    @Test
    void whatIsWrongWithAComparisonOfShuffleServicesIsASentence() {
        assertWrong("--contenders is about state backends and", "--shuffle", "--contenders=drey");
        assertWrong("--from is about state backends and", "--shuffle", "--from=comparison.json");
        assertWrong("There is no shuffle job 'last-seen'; expected some of random,", "--shuffle", "--jobs=last-seen");
        assertWrong("Wrong value for --repetitions: expected 1", "--shuffle", "--repetitions=0");
        assertWrong("Wrong value for --iops: expected at least 1, found 0.", "--shuffle", "--iops=0");
    }

    @Test
    @Tag(Effort.TAG)
    @Tag(Effort.LONG_TAG)
    void shuffleServicesAreComparedInProcessesAndNothingStaysBehind() throws Exception {
        Path output = directory.resolve("report");
        List<Path> own = filesOfTheUser(directory.resolve("work"));
        String tpch = Effort.of(0, 0, 1) > 0 ? ",tpch" : "";
        int runs = tpch.isEmpty() ? 8 : 12;
        int exit = shell.run(
                "compare",
                "--shuffle",
                "--quick",
                "--jobs=compressible,concurrent-readers" + tpch,
                "--repetitions=1",
                "--output=" + output,
                "--work-dir=" + directory.resolve("work"));
        assertThat(shell.err()).isEmpty();
        assertThat(shell.out()).contains("[4/" + runs + "] compressible on netty, run 1");
        assertThat(shell.out()).contains("compressible: all results agree on 262144 rows with digest ");
        assertThat(shell.out()).contains("concurrent-readers: all results agree on 32768 rows with digest ");
        assertThat(exit).isEqualTo(CompareCommand.EXIT_COMPLETE);
        assertThat(filesBelow(directory.resolve("work"))).containsExactlyInAnyOrderElementsOf(own);
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .isEmpty();

        ShuffleComparison comparison =
                ResultJson.read(output.resolve("shuffle-comparison.json"), ShuffleComparison.class);
        assertThat(comparison.status()).isEqualTo("complete");
        assertThat(comparison.cells()).hasSize(runs).allSatisfy(cell -> {
            assertThat(cell.error()).isNull();
            assertThat(cell.rows()).isEqualTo(ROWS.get(cell.job()));
            assertThat(cell.seconds()).isPositive();
            assertThat(cell.cpuSeconds()).isPositive();
        });
        assertThat(output.resolve("report.html")).content().contains("All runs have the same result.");
    }

    private void assertWrong(String sentence, String... options) {
        List<String> words = new ArrayList<>(List.of("compare", "--work-dir=" + directory.resolve("work")));
        words.addAll(List.of(options));
        int exit = shell.run(words.toArray(new String[0]));
        assertThat(shell.err()).as("%s", words).startsWith("drey: " + sentence).hasLineCount(1);
        assertThat(exit).isEqualTo(2);
    }

    @Test
    void aFileThatIsNoComparisonIsToldSo() throws Exception {
        Path file = Files.writeString(directory.resolve("other.json"), "{}");
        assertThat(shell.run("compare", "--from=" + file)).isEqualTo(1);
        assertThat(shell.err()).startsWith("drey: ").contains("other.json").hasLineCount(1);
    }
}
