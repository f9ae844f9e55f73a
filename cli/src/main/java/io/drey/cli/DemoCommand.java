package io.drey.cli;

import io.drey.cli.demo.DemoOptions;
import io.drey.cli.demo.DemoReport;
import io.drey.cli.demo.DemoRun;
import io.drey.cli.demo.ReportText;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.GivenCommand;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drey demo}: a real job on an embedded Flink, with its result checked. */
@Command(
        name = "demo",
        sortOptions = false,
        description = "Runs a Flink job on real data in this process and checks its result.",
        footer = {
            "",
            "Examples:",
            "  drey demo",
            "  drey demo flight-sample --fail-after 500000",
            "  drey demo last-seen --repeat 20 --managed-memory 16m --backend rocksdb",
            "",
            "The result is compared with that of a plain computation of the same data; exit codes: 0 it is exact, "
                    + "1 it is wrong or the run failed, 2 the command was wrong, 130 stopped with Ctrl-C."
        })
final class DemoCommand implements Callable<Integer> {
    static final int EXIT_EXACT = 0;
    static final int EXIT_FAILED = 1;
    static final int EXIT_STOPPED = 130;

    private static final int SECONDS_BETWEEN_LINES = 5;

    /** Options that a run that goes on must not have again. */
    private static final List<String> ONCE = List.of("--restore", "--stop-after", "--fail-after");

    @Spec
    private CommandSpec spec;

    @Mixin
    private DemoOptions options;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write the summary to this file, as JSON.")
    private Path json;

    @Override
    public Integer call() throws CommandException {
        String wrong = options.wrong(spec);
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        checkJson();
        PrintWriter out = spec.commandLine().getOut();
        ProgressLine printer = ProgressLine.onConsole(out, SECONDS_BETWEEN_LINES);
        try (StopSignal stop = new StopSignal()) {
            DemoRun run = new DemoRun(options, printer);
            DemoReport report = run.run(stop);
            ReportText.lines(report, options.restore(), this::continuation).forEach(out::println);
            out.flush();
            if (run.warning() != null) {
                spec.commandLine().getErr().println("drey: " + run.warning());
            }
            writeJson(report);
            if (report.wrong()) {
                return EXIT_FAILED;
            }
            return report.stopped() && !options.stops() ? EXIT_STOPPED : EXIT_EXACT;
        }
    }

    private String continuation(String path) {
        return GivenCommand.text(spec, ONCE, List.of("--restore", path));
    }

    /** Before a run of minutes. */
    private void checkJson() throws CommandException {
        Path place = json == null ? null : json.toAbsolutePath();
        if (place != null
                && (Files.isDirectory(place) || !Files.isWritable(Files.exists(place) ? place : place.getParent()))) {
            throw new CommandException(
                    "The summary cannot be written to " + json
                            + ": expected a file in a directory that is there and can be written to.",
                    null);
        }
    }

    private void writeJson(DemoReport report) throws CommandException {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(json, report.json());
        } catch (IOException e) {
            throw new CommandException("The summary cannot be written to " + json + ": " + e + ".", e);
        }
    }
}
