package io.drey.cli.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.drey.bench.format.Quantity;
import io.drey.cli.inspect.file.InspectedPath;
import io.drey.cli.inspect.report.FileText;
import io.drey.cli.inspect.report.Overview;
import io.drey.cli.inspect.report.Overview.OperatorView;
import io.drey.cli.inspect.report.OverviewText;
import io.drey.cli.inspect.report.StateScan.StateFinding;
import io.drey.cli.inspect.row.RowLines;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.inspect.snapshot.SnapshotReader;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.Sentence;
import io.drey.cli.terminal.StandardOutput;
import io.drey.foundation.DreyException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Carries out {@code drey inspect}: reads, prints, changes nothing. */
public final class Inspection {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final int TRIES_MAX = 5;
    private static final int LINES_BETWEEN_CHECKS = 1 << 10;

    /** Ends the name of a file that is being written. */
    private static final String PART = ".part";

    private final InspectOptions options;
    private final PrintWriter out;
    private final ProgressLine progress;
    private boolean hasSpoken;
    private long written;

    /** The progress goes where it does not mix with the output. */
    public Inspection(InspectOptions options, PrintWriter out, ProgressLine progress) {
        this.options = options;
        this.out = out;
        this.progress = progress;
    }

    /** Looks and prints; an exception has the sentence for what is damaged, missing or foreign. */
    public void run() throws CommandException, InterruptedException {
        try (URLClassLoader classes = JobClasses.of(options.classPath())) {
            InspectedPath found = InspectedPath.of(options.path());
            switch (found.form()) {
                case SNAPSHOT -> newest(found.path(), classes);
                case LOCAL_DIRECTORY -> print(FileText.local(found.path(), options.verify()));
                case FILE -> print(FileText.file(found.path(), options.verify(), classes));
            }
        } catch (IOException | DreyException e) {
            progress.end();
            throw new CommandException(Sentence.of(e), e);
        }
    }

    /** A running job deletes old checkpoints: if nothing was said of the newest one yet, there is a newer one now. */
    private void newest(Path directory, ClassLoader classes)
            throws IOException, CommandException, InterruptedException {
        Path path = directory;
        for (int tries = 1; ; tries++) {
            try {
                snapshot(SnapshotReader.read(path, classes));
                return;
            } catch (IOException | DreyException e) {
                boolean isOver = hasSpoken || tries == TRIES_MAX || !Files.exists(InspectedPath.local(options.path()));
                if (!SnapshotReader.isDeleted(path)) {
                    throw e;
                }
                if (isOver) {
                    throw SnapshotReader.failure(path, e);
                }
                path = InspectedPath.of(options.path()).path();
            }
        }
    }

    private void print(List<String> lines) throws IOException {
        if (options.wantsRows() || options.scan()) {
            throw new IOException("Entries can be shown of a checkpoint or savepoint only: here the names and types of"
                    + " states are not known.");
        }
        if (options.json()) {
            out.println(JSON.writeValueAsString(Map.of("lines", lines)));
        } else {
            lines.forEach(out::println);
        }
        out.flush();
    }

    private void snapshot(Snapshot snapshot) throws IOException, CommandException, InterruptedException {
        if (options.wantsRows()) {
            hasSpoken = true;
            rows(snapshot);
            return;
        }
        Map<String, Object> json = new LinkedHashMap<>();
        Overview overview = Overview.of(snapshot);
        checkNotDeleted(snapshot, overview.damages());
        json.put("overview", overview);
        hasSpoken = true;
        if (!options.json()) {
            OverviewText.lines(overview).forEach(out::println);
            out.flush();
        }
        if (options.scan()) {
            json.put("scan", scan(snapshot, overview));
        }
        List<String> problems = options.verify() ? verify(snapshot) : overview.damages();
        if (options.verify()) {
            json.put("problems", problems);
        }
        if (options.json()) {
            out.println(JSON.writeValueAsString(json));
            out.flush();
        }
        if (!problems.isEmpty()) {
            throw new CommandException("Some of its files are damaged or missing. " + String.join(" ", problems), null);
        }
    }

    private Map<String, List<StateFinding>> scan(Snapshot snapshot, Overview overview) throws IOException {
        Map<String, List<StateFinding>> byOperator = new LinkedHashMap<>();
        Map<SnapshotOperator, List<StateFinding>> findings =
                new SnapshotRows(snapshot, progress).scan(options.operator(), options.state(), options.ttl());
        findings.forEach((operator, states) -> {
            byOperator.put(operator.id(), states);
            if (!options.json()) {
                OperatorView view = overview.operators().stream()
                        .filter(each -> each.id().equals(operator.id()))
                        .findFirst()
                        .orElseThrow();
                OverviewText.lines(view, states).forEach(out::println);
            }
        });
        out.flush();
        return byOperator;
    }

    private List<String> verify(Snapshot snapshot) throws IOException, InterruptedException {
        Verification verification = new Verification(snapshot, progress);
        long begin = System.nanoTime();
        List<String> problems = verification.problems();
        checkNotDeleted(snapshot, problems);
        if (!options.json() && problems.isEmpty()) {
            double seconds = (System.nanoTime() - begin) / 1e9;
            out.println();
            boolean areOthers = snapshot.operators().stream()
                    .flatMap(operator -> operator.keyed().stream())
                    .anyMatch(each -> !each.part().format().startsWith("Drey"));
            out.println("Verified " + Quantity.size(snapshot.bytes()) + " in " + Quantity.millis(seconds * 1000) + " ("
                    + Quantity.size(snapshot.bytes() / seconds) + "/s): every checksum is right."
                    + (areOthers ? " Formats of other backends have none; their files are whole." : "")
                    + unread(snapshot));
            out.flush();
        }
        return problems;
    }

    private static void checkNotDeleted(Snapshot snapshot, List<String> problems) throws IOException {
        if (!problems.isEmpty() && SnapshotReader.isDeleted(snapshot.directory())) {
            throw new IOException(String.join(" ", problems));
        }
    }

    /** Of a canonical savepoint the rows are all that can be verified. */
    private static String unread(Snapshot snapshot) {
        return snapshot.operators().stream()
                .flatMap(operator -> operator.keyed().stream())
                .map(SubtaskPart::part)
                .filter(part -> part.format().equals("canonical") && part.problem() != null)
                .findFirst()
                .map(part -> " Rows were not read: " + part.problem())
                .orElse("");
    }

    private void rows(Snapshot snapshot) throws IOException {
        RowLines form = options.export() == null ? RowLines.JSONL : options.export();
        long count = options.to() == null ? write(snapshot, form, out) : export(snapshot, form, options.to());
        if (options.to() != null) {
            out.println(Quantity.count(count) + " entries are in " + options.to());
            out.flush();
        }
        if (count == 0 && options.key() != null) {
            progress.say("No entry has the key " + options.key() + (options.grep() == null ? "" : " and says that")
                    + ": --sample shows how keys are written.");
        }
    }

    /** The file has its name once all entries are in it; before and after a failure there is none. */
    private long export(Snapshot snapshot, RowLines form, Path to) throws IOException {
        if (Files.exists(to)) {
            throw new IOException("File " + to + " exists already: choose another name, or delete it.");
        }
        Path part = to.resolveSibling(to.getFileName() + PART);
        // Before it is opened, for Ctrl-C.
        part.toFile().deleteOnExit();
        try {
            long count;
            // Half a character of two is written as a question mark; a writer of Files would refuse it.
            try (PrintWriter file =
                    new PrintWriter(new BufferedWriter(new OutputStreamWriter(open(part, to), UTF_8)))) {
                count = write(snapshot, form, file);
            }
            Files.move(part, to);
            return count;
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static OutputStream open(Path part, Path to) throws IOException {
        try {
            return Files.newOutputStream(part);
        } catch (IOException e) {
            throw new IOException("File " + to + " cannot be written: " + DirectoryFailure.why(e) + ".", e);
        }
    }

    private long write(Snapshot snapshot, RowLines form, PrintWriter to) throws IOException {
        form.header().forEach(to::println);
        hasSpoken = options.to() != null || !form.header().isEmpty();
        long count = new SnapshotRows(snapshot, progress).choose(options, (operator, subtask, row, decoded) -> {
            hasSpoken = true;
            to.println(form.line(operator.name(), subtask, row, decoded));
            if (++written % LINES_BETWEEN_CHECKS == 0) {
                check(to);
            }
        });
        check(to);
        return count;
    }

    /** A writer keeps its errors to itself. */
    private void check(PrintWriter to) throws IOException {
        if (to.checkError()) {
            throw new IOException(
                    options.to() == null
                            ? StandardOutput.LOST
                            : "File " + options.to() + " could not be written to its end: is its disk full?");
        }
    }
}
