package io.drey.cli.inspect;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.drey.bench.format.Quantity;
import io.drey.cli.inspect.SnapshotDiff.Grown;
import io.drey.cli.inspect.SnapshotDiff.StateDiff;
import io.drey.cli.inspect.file.InspectedPath;
import io.drey.cli.inspect.report.TextTable;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotReader;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.Sentence;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * Carries out {@code drey inspect diff}.
 *
 * @param classPath the job's jars, or null
 */
public record DiffRun(Path before, Path after, String classPath, boolean json) {
    /** Compares and prints. */
    public void run(PrintWriter out, ProgressLine progress) throws CommandException {
        try (URLClassLoader classes = JobClasses.of(classPath)) {
            Snapshot old = read(before, classes);
            Snapshot young = read(after, classes);
            List<StateDiff> states = new SnapshotDiff(old, young, progress).states();
            if (json) {
                out.println(new ObjectMapper()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .writeValueAsString(states));
            } else {
                print(old, young, states, out);
            }
            out.flush();
        } catch (IOException | DreyException e) {
            progress.end();
            throw new CommandException(Sentence.of(e), e);
        }
    }

    private static Snapshot read(Path path, ClassLoader classes) throws IOException {
        InspectedPath found = InspectedPath.of(path);
        if (found.form() != InspectedPath.Form.SNAPSHOT) {
            throw new IOException("Only checkpoints and savepoints can be compared, and " + path + " is neither.");
        }
        return SnapshotReader.read(found.path(), classes);
    }

    private static void print(Snapshot old, Snapshot young, List<StateDiff> states, PrintWriter out) {
        out.println("before: " + old.directory() + ", " + old.kind() + " " + old.checkpointId() + ", "
                + Quantity.size(old.bytes()));
        out.println("after:  " + young.directory() + ", " + young.kind() + " " + young.checkpointId() + ", "
                + Quantity.size(young.bytes()));
        out.println();
        TextTable table = new TextTable(
                "operator",
                "state",
                " keys before",
                " after",
                " added",
                " removed",
                " changed",
                " bytes before",
                " after");
        for (StateDiff state : states) {
            table.row(
                    state.operator(),
                    state.state(),
                    Quantity.count(state.keysBefore()),
                    Quantity.count(state.keysAfter()),
                    Quantity.count(state.added()),
                    Quantity.count(state.removed()),
                    Quantity.count(state.changed()),
                    Quantity.size(state.bytesBefore()),
                    Quantity.size(state.bytesAfter()));
        }
        table.lines("").forEach(out::println);
        for (StateDiff state : states) {
            if (!state.grown().isEmpty()) {
                out.println();
                out.println("What grew most in " + state.state() + ":");
                TextTable grown = new TextTable("key", " bytes before", " after");
                for (Grown key : state.grown()) {
                    grown.row(key.key(), Quantity.size(key.bytesBefore()), Quantity.size(key.bytesAfter()));
                }
                grown.lines("  ").forEach(out::println);
            }
        }
    }
}
