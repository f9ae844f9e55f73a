package io.drey.bench.jmh;

import io.drey.bench.folder.FolderTree;
import io.drey.bench.jmh.setup.Folder;
import io.drey.bench.jmh.setup.MeterProfiler;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs benchmarks one process after the other, the contenders of one operation and size right after each other, so that
 * a machine that gets slower is not one contender's misfortune. (JMH itself would run all sizes of a contender first.)
 * What is known is written after each; a benchmark that fails is said and left out.
 */
final class InterleavedRun {
    private static final String CONTENDER = "contender";

    private record Measurement(String benchmark, Map<String, String> params) {
        @Override
        public String toString() {
            String[] name = benchmark.split("\\.");
            return name[name.length - 2] + "." + name[name.length - 1] + " " + params;
        }
    }

    private final String pattern;
    private final CommandLineOptions options;
    private final Path file;
    private final Path folder;
    private final List<RunResult> results = new ArrayList<>();

    /**
     * @param pattern that a part of the full name of a benchmark matches
     * @param options for every one of them
     * @param file for JMH's results
     * @param folder for the files of contenders, deleted after each
     */
    InterleavedRun(String pattern, CommandLineOptions options, Path file, Path folder) {
        this.pattern = pattern;
        this.options = options;
        this.file = file;
        this.folder = folder;
    }

    void run() throws IOException, RunnerException {
        List<Measurement> measurements = measurements();
        int failed = 0;
        for (int i = 0; i < measurements.size(); i++) {
            Measurement measurement = measurements.get(i);
            System.out.printf(Locale.ROOT, "%d/%d %s", i + 1, measurements.size(), measurement);
            Collection<RunResult> found = run(measurement);
            // A benchmark whose preparations failed, or that was killed, left it.
            FolderTree.delete(folder);
            if (found.isEmpty()) {
                failed++;
                System.out.println(": failed, see it with -v NORMAL");
            } else {
                Result<?> score = found.iterator().next().getPrimaryResult();
                System.out.printf(Locale.ROOT, ": %.1f %s%n", score.getScore(), score.getScoreUnit());
                results.addAll(found);
                write();
            }
        }
        if (results.isEmpty()) {
            throw new RunnerException(
                    measurements.isEmpty() ? "no benchmark has such a name" : "all " + failed + " benchmarks failed");
        }
    }

    private List<Measurement> measurements() {
        List<Measurement> all = new ArrayList<>();
        for (BenchmarkListEntry entry : BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                        List.of(pattern),
                        options.getExcludes())) {
            List<Map<String, String>> combinations = new ArrayList<>(List.of(new LinkedHashMap<>()));
            Map<String, String[]> params = new TreeMap<>(entry.getParams().orElse(Map.of()));
            String[] contenders = params.remove(CONTENDER);
            params.forEach((name, values) -> multiply(combinations, name, values));
            multiply(combinations, CONTENDER, contenders);
            combinations.forEach(combination -> all.add(new Measurement(entry.getUsername(), combination)));
        }
        return all;
    }

    /** Every combination with every value that the user, or else the benchmark, gives a parameter. */
    private void multiply(List<Map<String, String>> combinations, String name, String[] defaults) {
        Collection<String> values = options.getParameter(name).orElse(List.of(defaults));
        List<Map<String, String>> more = new ArrayList<>();
        for (Map<String, String> combination : combinations) {
            for (String value : values) {
                Map<String, String> one = new LinkedHashMap<>(combination);
                one.put(name, value);
                more.add(one);
            }
        }
        combinations.clear();
        combinations.addAll(more);
    }

    private Collection<RunResult> run(Measurement measurement) throws RunnerException {
        // Options that are given here take the place of the user's.
        List<String> jvmArgs = new ArrayList<>(options.getJvmArgsAppend().orElse(List.of()));
        jvmArgs.add("-D" + Folder.PARENT + "=" + folder);
        ChainedOptionsBuilder one = new OptionsBuilder()
                .parent(options)
                .include("^" + measurement.benchmark().replace(".", "\\.") + "$")
                .verbosity(options.verbosity().orElse(VerboseMode.SILENT))
                .shouldDoGC(true)
                .addProfiler(GCProfiler.class)
                .addProfiler(MeterProfiler.class)
                .jvmArgsAppend(jvmArgs.toArray(String[]::new));
        measurement.params().forEach(one::param);
        return new Runner(one.build()).run();
    }

    private void write() throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try (PrintStream out = new PrintStream(Files.newOutputStream(unfinished), false, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        }
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
