package io.drey.bench.report;

import io.drey.bench.figure.Figures;
import io.drey.bench.result.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Puts a comparison among the project's files: its raw data, report and chart, the index of results, and the README. */
public final class Publisher {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,40}");

    private Publisher() {}

    /**
     * Publishes a comparison that ran to its end under its date and a name, over one of the same.
     *
     * @param project where the project's files are
     * @param name small letters, digits and hyphens
     * @return the folder of the results
     */
    public static Path publish(Path project, String name, Comparison comparison) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "expected a name of small letters, digits and hyphens, at most 41, found '" + name + "'");
        }
        if (!comparison.status().equals("complete")) {
            throw new IllegalArgumentException("expected a comparison that ran to its end, found one that is "
                    + comparison.status() + ": run it again");
        }
        Comparison kept = RawData.kept(comparison, project);
        String date = kept.startedAt().substring(0, "2026-01-01".length());
        Path directory = PublishedResults.directory(project).resolve(date + "-" + name);
        Files.createDirectories(directory);
        RawData.write(directory.resolve(PublishedResults.RAW), kept);
        Path report = ReportFiles.write(directory, kept, Figures.of(kept));
        PublishedResults.refresh(project);
        return report.getParent();
    }
}
