package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import io.drey.bench.result.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The directory with the files of one comparison: what was measured, its figures, and the report. */
public final class ReportFolder {
    static final String REPORT = "report.html";

    private static final String RAW = "comparison.json";
    private static final String FIGURES = "figures.json";

    private final Path directory;

    /** A directory, made if it is not there. */
    public ReportFolder(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory.toAbsolutePath().normalize());
    }

    /** The page to open. */
    public Path report() {
        return directory.resolve(REPORT);
    }

    /**
     * Writes all files of what is known so far, over those of an earlier time.
     *
     * @return the figures
     */
    public Figures keep(Comparison comparison) throws IOException {
        Figures figures = Figures.of(comparison);
        WholeFile.replace(directory.resolve(RAW), file -> ResultJson.write(file, comparison));
        WholeFile.replace(directory.resolve(FIGURES), file -> ResultJson.write(file, figures));
        WholeFile.replace(report(), file -> HtmlReport.write(file, comparison, figures));
        return figures;
    }
}
