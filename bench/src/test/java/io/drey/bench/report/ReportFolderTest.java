package io.drey.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.drey.bench.figure.MadeUpComparison;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import io.drey.bench.result.ShuffleComparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportFolderTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path directory;

    /** After hours of measuring the disk may be full: what was there before must not go for what does not fit. */
    @ParameterizedTest
    @ValueSource(strings = {"comparison.json", "figures.json", "report.html"})
    void aFileThatCannotBeWrittenAnewStaysAsItWas(String name) throws IOException {
        assumeThat(FULL).exists();
        ReportFolder folder = new ReportFolder(directory);
        folder.keep(MadeUpComparison.whole(7));
        byte[] before = Files.readAllBytes(directory.resolve(name));
        Files.createSymbolicLink(directory.resolve(name + ".new"), FULL);

        assertThatThrownBy(() -> folder.keep(MadeUpComparison.whole(8))).isInstanceOf(IOException.class);

        assertThat(directory.resolve(name)).hasBinaryContent(before);
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shuffle-comparison.json", "report.html"})
    void soDoesOneOfAComparisonOfShuffleServices(String name) throws IOException {
        assumeThat(FULL).exists();
        ShuffleReport report = new ShuffleReport(directory);
        report.keep(shuffles("running"));
        byte[] before = Files.readAllBytes(directory.resolve(name));
        Files.createSymbolicLink(directory.resolve(name + ".new"), FULL);

        assertThatThrownBy(() -> report.keep(shuffles("complete"))).isInstanceOf(IOException.class);

        assertThat(directory.resolve(name)).hasBinaryContent(before);
        assertThat(directory).isDirectoryNotContaining("glob:**.new");
    }

    private static ShuffleComparison shuffles(String status) {
        Comparison like = MadeUpComparison.whole(7);
        return new ShuffleComparison(
                ShuffleComparison.FORMAT,
                like.startedAt(),
                like.finishedAt(),
                status,
                like.command(),
                like.machine(),
                null,
                Map.of(),
                List.of("netty", "drey"),
                List.of(),
                List.of());
    }

    @Test
    void nothingButTheReportIsInItsDirectory() throws IOException {
        Comparison comparison = MadeUpComparison.whole(7);

        new ReportFolder(directory).keep(comparison);

        assertThat(directory).isDirectoryNotContaining("glob:**.new");
        assertThat(ResultJson.read(directory.resolve("comparison.json"), Comparison.class))
                .isEqualTo(comparison);
        assertThat(directory.resolve("report.html")).content().startsWith("<!doctype html>");
    }
}
