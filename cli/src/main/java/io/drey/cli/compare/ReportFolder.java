package io.drey.cli.compare;

import io.drey.bench.figure.Figures;
import io.drey.bench.report.Publisher;
import io.drey.bench.report.ReportFiles;
import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import io.drey.cli.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** The directory with the files of one comparison: what was measured, its figures, and the report. */
public final class ReportFolder {
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'comparison-'yyyy-MM-dd-HHmmss").withZone(ZoneId.systemDefault());

    private static final String RAW = "comparison.json";

    private final Path directory;

    private ReportFolder(Path directory) {
        this.directory = directory;
    }

    /** The usual directory for a comparison that starts now, in the current one. */
    public static Path named(Instant start) {
        return Path.of(NAME.format(start));
    }

    /** A directory, made if it is not there. */
    public static ReportFolder at(Path directory) throws CommandException {
        Path absolute = directory.toAbsolutePath().normalize();
        try {
            Files.createDirectories(absolute);
        } catch (IOException e) {
            throw new CommandException("The directory " + absolute + " cannot be made: " + e + ".", e);
        }
        return new ReportFolder(absolute);
    }

    /** The page to open. */
    public Path report() {
        return directory.resolve(ReportFiles.REPORT);
    }

    /** What an earlier comparison measured. */
    public static Comparison read(Path file) throws CommandException {
        try {
            Comparison comparison = ResultJson.read(file, Comparison.class);
            if (comparison.format() != Comparison.FORMAT) {
                throw new CommandException(
                        file + " has format " + comparison.format() + ", expected " + Comparison.FORMAT
                                + ": read it with the version of Drey that wrote it.",
                        null);
            }
            return comparison;
        } catch (IOException e) {
            throw new CommandException("The comparison cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /** Writes all files of what is known so far; a reader sees the old ones or the new ones. */
    void keep(Comparison comparison) throws IOException {
        keep(comparison, Figures.of(comparison));
    }

    private void keep(Comparison comparison, Figures figures) throws IOException {
        Path temporary = directory.resolve(RAW + ".new");
        ResultJson.write(temporary, comparison);
        Files.move(
                temporary, directory.resolve(RAW), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        ReportFiles.write(directory, comparison, figures);
    }

    /** Writes all files and sums them up. */
    public CompareSummary finish(Comparison comparison) throws CommandException {
        Figures figures = Figures.of(comparison);
        try {
            keep(comparison, figures);
        } catch (IOException e) {
            throw new CommandException("The report cannot be written to " + directory + ": " + e + ".", e);
        }
        return new CompareSummary(comparison, figures);
    }

    /**
     * Puts the comparison among the project's results.
     *
     * @param project where the project's files are, or null if that is not known
     * @return the folder of the results
     */
    public static Path publish(Comparison comparison, String name, String project) throws CommandException {
        if (project == null) {
            throw new CommandException("--publish needs the project's files: run ./drey in the project.", null);
        }
        try {
            return Publisher.publish(Path.of(project), name, comparison);
        } catch (IOException e) {
            throw new CommandException("The results cannot be published: " + e + ".", e);
        } catch (IllegalArgumentException e) {
            throw new CommandException("The results cannot be published: " + e.getMessage() + ".", e);
        }
    }
}
