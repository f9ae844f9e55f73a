package io.drey.bench.jmh;

import io.drey.bench.format.Quantity;
import io.drey.bench.format.ShellWords;
import io.drey.bench.jmh.setup.Folder;
import io.drey.bench.micro.MicroResult;
import io.drey.bench.micro.MicroTable;
import io.drey.bench.report.PublishedResults;
import io.drey.bench.result.Comparison;
import io.drey.bench.run.MachineFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * The door: runs the benchmarks whose names match a pattern, or all, with JMH's own options, and writes JMH's results,
 * what follows from them ({@link MicroResult}), and a table into a folder. {@code --out FOLDER} says which; {@code
 * --publish} takes one among the project's results, of today.
 */
public final class RunBenchmarks {
    private static final String OUT = "--out";
    private static final String PUBLISH = "--publish";
    private static final String PROJECT = "drey.home";
    private static final String ALL = ".*";
    private static final String USAGE =
            "bench/run-jmh [PATTERN OF NAMES] [" + OUT + " FOLDER | " + PUBLISH + "] [JMH's options, see -h]";

    private RunBenchmarks() {}

    /** Runs; exits with 1 if nothing could be run, and says why. */
    public static void main(String[] args) throws IOException {
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        List<String> rest = new ArrayList<>(Arrays.asList(args));
        try {
            boolean publish = rest.remove(PUBLISH);
            Path folder = folder(rest);
            String pattern = rest.isEmpty() || rest.get(0).startsWith("-") ? ALL : rest.remove(0);
            CommandLineOptions options = new CommandLineOptions(rest.toArray(String[]::new));
            if (options.shouldHelp()) {
                System.out.println(USAGE);
                options.showHelp();
                return;
            }
            if (!options.getIncludes().isEmpty()) {
                throw new IllegalArgumentException("expected the pattern of names first, found " + options.getIncludes()
                        + " after an option; " + USAGE);
            }
            Files.createDirectories(folder);
            Path raw = folder.resolve("jmh.json");
            try (Folder files = new Folder()) {
                new InterleavedRun(pattern, options, raw, files.path().resolve("contender")).run();
            }
            MicroResult result = result(raw, start, command(pattern, rest));
            MicroTable.write(folder, result);
            // JMH's own file names the machine's paths, and all that matters of it is in ours.
            Files.delete(raw);
            System.out.println(MicroTable.of(result));
            System.out.println("Written to " + (publish ? PublishedResults.publish(project(), result) : folder));
        } catch (IllegalArgumentException | CommandLineOptionException | RunnerException e) {
            System.err.println("run-jmh: " + e.getMessage());
            System.exit(1);
        }
    }

    private static Path project() {
        return Path.of(System.getProperty(PROJECT, "")).toAbsolutePath();
    }

    /** Takes our own option out of the arguments. */
    private static Path folder(List<String> args) {
        int out = args.indexOf(OUT);
        if (out < 0) {
            return project().resolve("bench/jmh/target/results");
        }
        if (out + 1 == args.size()) {
            throw new IllegalArgumentException("expected a folder after " + OUT + "; " + USAGE);
        }
        args.remove(out);
        return Path.of(args.remove(out)).toAbsolutePath();
    }

    /** The command that repeats it, without where its results go. */
    private static String command(String pattern, List<String> options) {
        List<String> words = new ArrayList<>(List.of("bench/run-jmh"));
        if (!pattern.equals(ALL)) {
            words.add(pattern);
        }
        words.addAll(options);
        return ShellWords.text(words);
    }

    private static MicroResult result(Path raw, Instant start, String command) throws IOException {
        Comparison.Machine machine = MachineFacts.of(raw);
        return MicroResult.of(
                start.toString(),
                command,
                machine.processor() + ", " + Quantity.counted(machine.cores(), "core", "cores") + ", "
                        + Quantity.size(machine.memoryBytes()),
                MachineFacts.java(),
                raw);
    }
}
