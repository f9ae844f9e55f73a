package io.drey.cli.inspect.report;

import io.drey.bench.format.Quantity;
import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.manifest.ManifestFile;
import io.drey.cli.inspect.file.FileKind;
import io.drey.cli.inspect.file.LocalFiles;
import io.drey.cli.inspect.file.LocalFiles.LocalFile;
import io.drey.cli.inspect.file.SiblingFiles;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.snapshot.DreyPart;
import io.drey.cli.inspect.snapshot.StoreFile;
import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.foundation.DreyException;
import io.drey.store.entry.Expiry;
import io.drey.store.run.RunInfo;
import io.drey.store.run.TableCount;
import io.drey.store.value.ValueLogVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Single files of a store, and local directories, as lines of text. */
public final class FileText {
    private FileText() {}

    /** What a file of a known kind tells; with {@code verify}, after all of it was read. */
    public static List<String> file(Path path, boolean verify, ClassLoader classes) throws IOException {
        FileKind kind = FileKind.of(path);
        List<String> lines = new ArrayList<>();
        lines.add(path + ": " + kind.text() + ", " + Quantity.size(Files.size(path)));
        Directory directory = new SiblingFiles(path);
        String name = path.getFileName().toString();
        switch (kind) {
            case RUN -> {
                RunInfo run = StoreFile.run(directory, name, Files.size(path));
                lines.addAll(run(run));
                if (verify) {
                    StoreFile.verifyRun(directory, name, Files.size(path));
                }
            }
            case VALUE_LOG -> {
                try (ReadableFile log = directory.open(name)) {
                    ValueLogVerifier.Summary values = StoreFile.verifyLog(log);
                    lines.add("  " + Quantity.count(values.values()) + " values, " + Quantity.size(values.bytes())
                            + " as stored, " + Quantity.size(values.rawBytes()) + " before compression");
                }
            }
            case PACK -> {
                lines.add("  Small files of several stores. Where in it each is, and its checksum, manifests say:"
                        + " inspect the checkpoint.");
                return lines;
            }
            case MANIFEST -> {
                lines.addAll(manifest(path, directory, classes));
                if (verify) {
                    lines.add("  Its own checksum is right. Of the files that it lists none was read: inspect the"
                            + " checkpoint.");
                }
                return lines;
            }
            case FLINK_METADATA -> throw new IllegalArgumentException("expected a file of a store, found " + path);
        }
        if (verify) {
            lines.add("  All checksums are right.");
        }
        return lines;
    }

    private static List<String> run(RunInfo run) {
        List<String> lines = new ArrayList<>();
        lines.add("  " + Quantity.count(run.entries()) + " entries, " + Quantity.size(run.rawBytes())
                + " before compression, key groups " + run.keyGroupMin() + ".." + run.keyGroupMax());
        TextTable tables =
                new TextTable("table", " entries", " row tombstones", "half last accessed by", "latest access");
        for (TableCount table : run.tables()) {
            tables.row(
                    table.table() + "",
                    Quantity.count(table.entries()),
                    Quantity.count(table.rowTombstones()),
                    time(table.medianAccess()),
                    time(table.latestAccess()));
        }
        lines.addAll(tables.lines("  "));
        run.logs()
                .forEach(log -> lines.add(
                        "  points to " + Quantity.size(log.bytes()) + " of a value log with the id " + log.log()));
        lines.add("  The names of tables stand in the manifest of a checkpoint.");
        return lines;
    }

    private static String time(long millis) {
        return millis == Expiry.NOTHING || millis == Expiry.NEVER
                ? "-"
                : Instant.ofEpochMilli(millis).toString();
    }

    private static List<String> manifest(Path path, Directory directory, ClassLoader classes) throws IOException {
        DreyPart part = DreyPart.of(path.toString(), Files.readAllBytes(path), directory, classes);
        Manifest manifest = part.manifest();
        List<String> lines = new ArrayList<>();
        lines.add("  checkpoint " + manifest.checkpointId() + " of backend " + manifest.backendId() + ", written by "
                + part.format() + ", key groups " + part.keyGroupFrom() + ".." + part.keyGroupTo());
        TextTable states = new TextTable("state", "form", "key", "namespace", "value");
        for (StateInfo state : part.states()) {
            states.row(state.name(), state.form().text(), state.keyType(), state.namespaceType(), state.valueType());
        }
        lines.addAll(states.lines("  "));
        if (part.problem() != null) {
            lines.add("  " + part.problem());
        }
        TextTable files = new TextTable("file", " bytes", "checksum");
        for (ManifestFile file : manifest.files()) {
            files.row(file.name(), Quantity.size(file.bytes()), Long.toHexString(file.checksum()));
        }
        lines.addAll(files.lines("  "));
        return lines;
    }

    /** The files of stores in a local directory. */
    public static List<String> local(Path path, boolean verify) throws IOException {
        List<String> lines = new ArrayList<>();
        List<LocalFile> all = LocalFiles.list(path);
        long bytes = all.stream().mapToLong(LocalFile::bytes).sum();
        lines.add(path + ": local files of Drey, " + Quantity.size(bytes) + " in " + all.size() + " files");
        for (Path directory : LocalFiles.directories(path)) {
            lines.add("");
            lines.add(directory.toString());
            TextTable table = new TextTable("file", "kind", " bytes", " entries", " tables", "key groups", " age");
            for (LocalFile file : all) {
                if (file.path().getParent().equals(directory)) {
                    row(table, file, verify);
                }
            }
            lines.addAll(table.lines("  "));
        }
        if (verify) {
            lines.add("");
            lines.add("All checksums are right.");
        }
        return lines;
    }

    private static void row(TextTable table, LocalFile file, boolean verify) throws IOException {
        Directory directory = new SiblingFiles(file.path());
        String name = file.path().getFileName().toString();
        // A file server's clock may be ahead.
        String age = Quantity.millis(
                Math.max(0, Duration.between(file.modified(), Instant.now()).toMillis()));
        if (file.kind() == FileKind.VALUE_LOG) {
            if (verify) {
                try (ReadableFile log = directory.open(name)) {
                    StoreFile.verifyLog(log);
                }
            }
            table.row(name, "value log", Quantity.size(file.bytes()), "-", "-", "-", age);
            return;
        }
        try {
            RunInfo run = StoreFile.run(directory, name, Files.size(file.path()));
            table.row(
                    name,
                    "run",
                    Quantity.size(run.bytes()),
                    Quantity.count(run.entries()),
                    run.tables().size() + "",
                    run.keyGroupMin() + ".." + run.keyGroupMax(),
                    age);
            if (verify) {
                StoreFile.verifyRun(directory, name, run.bytes());
            }
        } catch (DreyException e) {
            if (verify && !(e.getCause() instanceof NoSuchFileException)) {
                throw e;
            }
            String state = Files.exists(file.path()) ? "unfinished, or damaged" : "gone meanwhile";
            table.row(name, state, Quantity.size(file.bytes()), "-", "-", "-", age);
        }
    }
}
