package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
        replace(directory.resolve(RAW), file -> ResultJson.write(file, comparison));
        replace(directory.resolve(FIGURES), file -> ResultJson.write(file, figures));
        replace(report(), file -> HtmlReport.write(file, comparison, figures));
        return figures;
    }

    /** A reader, and who finds the disk full, has what was measured before or what is measured now. */
    private static void replace(Path file, Writing content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            content.write(fresh);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw e;
        }
    }

    private interface Writing {
        void write(Path file) throws IOException;
    }
}
