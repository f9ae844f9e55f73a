package io.drey.bench.cell;

import io.drey.bench.folder.FolderTree;
import io.drey.bench.format.ShellWords;
import io.drey.bench.result.CellResult;
import io.drey.bench.result.CellSpec;
import io.drey.bench.result.ResultJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * A cell that runs in a process of its own. Whatever becomes of the process there is a result, and when this is closed
 * the process and its temporary files are gone; local state and checkpoints are the caller's.
 */
public final class CellProcess implements AutoCloseable {
    /** The virtual machine, Flink, and the plan of the job. */
    private static final long START_MS_MAX = 120_000;

    private static final long KILL_MS_MAX = 10_000;
    private static final int LAST_LINES = 3;
    private static final int LINE_CHARS_MAX = 300;
    /** Lines of a stack trace, which tell a user nothing. */
    private static final Pattern STACK = Pattern.compile("\\s+(at|\\.\\.\\.) ");

    private static final int KILLED = 128 + 9;

    private final CellSpec spec;
    private final Path directory;
    private final Path resultFile;
    private final String command;
    private final Process process;
    private final Thread reader;
    private final Deque<String> otherLines = new ArrayDeque<>();

    private CellProcess(CellSpec spec, Path directory, List<String> archive, Consumer<CellMoment> listener)
            throws IOException {
        this.spec = spec;
        this.directory = directory;
        this.resultFile = directory.resolve("result.json");
        Path specFile = directory.resolve("cell.json");
        Files.createDirectories(directory);
        Files.deleteIfExists(resultFile);
        ResultJson.write(specFile, spec);
        List<String> words = ChildCommand.of(spec, specFile, resultFile, archive);
        this.command = ShellWords.text(words);
        this.process = new ProcessBuilder(words)
                .redirectError(directory.resolve("cell.err").toFile())
                .start();
        process.getOutputStream().close();
        this.reader = new Thread(() -> read(listener), "cell-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a cell.
     *
     * @param directory for the cell's specification, result, log and temporary files
     * @param archive options of its virtual machine for a {@link ClassArchive}, or none
     * @param listener hears about its progress, in a thread that reads what the process prints
     */
    public static CellProcess start(CellSpec spec, Path directory, List<String> archive, Consumer<CellMoment> listener)
            throws IOException {
        return new CellProcess(spec, directory.toAbsolutePath(), archive, listener);
    }

    private void read(Consumer<CellMoment> listener) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                CellMoment moment = CellMoment.parse(line);
                if (moment == null) {
                    keep(line);
                } else {
                    listener.accept(moment);
                }
            }
        } catch (IOException e) {
            // The process was killed while it was read from; what it said last does not matter.
            return;
        }
    }

    /** What is no progress may be the last that a virtual machine says. */
    private void keep(String line) {
        synchronized (otherLines) {
            otherLines.add(line);
            if (otherLines.size() > LAST_LINES) {
                otherLines.remove();
            }
        }
    }

    /** The result when the process has ended; one with an error if it left none, or did not end in time. */
    public CellResult await() throws InterruptedException, IOException {
        // It ends itself earlier, if its virtual machine is well.
        long limitMs = START_MS_MAX + CellRun.limitMs(spec);
        if (!process.waitFor(limitMs, TimeUnit.MILLISECONDS)) {
            kill();
            return failed("The cell was not done within " + limitMs / 1000 + " s and was ended" + lastWords());
        }
        reader.join(KILL_MS_MAX);
        if (!Files.exists(resultFile)) {
            int status = process.exitValue();
            String how = status == KILLED
                    ? "was killed, perhaps because the machine was out of memory"
                    : "ended with status " + status + " and without a result";
            return failed("The process of the cell " + how + lastWords());
        }
        CellResult result = ResultJson.read(resultFile, CellResult.class);
        return result.with(command, result.samples());
    }

    private CellResult failed(String error) {
        return new CellResult(
                spec, command, error, null, -1, -1, List.of(), List.of(), List.of(), List.of(), null, null, -1,
                List.of());
    }

    /** What it said last, for the end of a sentence. */
    private String lastWords() throws IOException {
        List<String> words = new ArrayList<>();
        synchronized (otherLines) {
            if (!otherLines.isEmpty()) {
                words.add(shortened(otherLines));
            }
        }
        for (String file : List.of("cell.err", CellMain.LOG)) {
            List<String> lines = lastLines(directory.resolve(file));
            if (!lines.isEmpty()) {
                words.add(file + ": " + shortened(lines));
            }
        }
        return words.isEmpty() ? "; it said nothing." : "; it said last: " + String.join("; ", words);
    }

    private static List<String> lastLines(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        // A log may be cut in the middle of a character.
        List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.isBlank() && !STACK.matcher(line).lookingAt())
                .toList();
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    private static String shortened(Iterable<String> lines) {
        List<String> all = new ArrayList<>();
        for (String line : lines) {
            all.add(line.length() <= LINE_CHARS_MAX ? line : line.substring(0, LINE_CHARS_MAX) + "...");
        }
        return String.join(" / ", all);
    }

    private void kill() throws InterruptedException, IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        if (!process.waitFor(KILL_MS_MAX, TimeUnit.MILLISECONDS)) {
            throw new IOException("The process " + process.pid() + " of a cell could not be ended.");
        }
    }

    /** Whether the process runs. */
    boolean alive() {
        return process.isAlive();
    }

    /** Ends the process if it still runs, and deletes its temporary files. */
    @Override
    public void close() throws IOException {
        try {
            kill();
            FolderTree.delete(directory.resolve(CellMain.TEMPORARY));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
