package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files that are made from a comparison, beside its raw data. */
public final class ReportFiles {
    public static final String REPORT = "report.html";
    public static final String FIGURES = "figures.json";
    public static final String CHART = "chart.svg";

    private ReportFiles() {}

    /**
     * Writes all of them, over those of an earlier time.
     *
     * @param directory exists
     * @param figures of the comparison
     * @return the report for a browser
     */
    public static Path write(Path directory, Comparison comparison, Figures figures) throws IOException {
        ResultJson.write(directory.resolve(FIGURES), figures);
        Path report = directory.resolve(REPORT);
        HtmlReport.write(report, comparison, figures);
        String chart = ReadmeChart.of(comparison, figures);
        if (chart == null) {
            Files.deleteIfExists(directory.resolve(CHART));
        } else {
            Files.writeString(directory.resolve(CHART), chart);
        }
        return report;
    }
}
