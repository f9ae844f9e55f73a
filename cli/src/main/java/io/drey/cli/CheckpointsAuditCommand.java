package io.drey.cli;

import io.drey.cli.audit.Audit;
import io.drey.cli.audit.AuditReport;
import io.drey.cli.format.DurationConverter;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.GivenCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drey checkpoints audit}: which files checkpoints list, which nothing needs, and why. */
@Command(
        name = "audit",
        sortOptions = false,
        description = "Says which files of a directory of checkpoints are listed by which checkpoint, and which nothing"
                + " needs. Deletes nothing unless told to.",
        footer = {
            "",
            "Examples:",
            "  drey checkpoints audit checkpoints/JOB",
            "  drey checkpoints audit checkpoints --delete --older-than 12h",
            "",
            "Exit codes: 0 nothing to delete is left, 3 something is, 1 something cannot be read or deleted or is"
                    + " missing, 2 the command was wrong."
        })
final class CheckpointsAuditCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "A job's directory, with chk-N and shared, or one of many jobs; a path or a URI.")
    private String directory;

    @Option(names = "--delete", description = "Delete what nothing needs.")
    private boolean delete;

    @Option(
            names = "--older-than",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = DurationConverter.class,
            description = "Keep what was written since then (default: ${DEFAULT-VALUE}).")
    private Duration olderThan;

    @Option(names = "--json", description = "Print JSON, with every file.")
    private boolean json;

    @Override
    public Integer call() throws CommandException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            AuditReport report = new Audit(directory, delete, olderThan).run();
            if (json) {
                report.json(out);
                out.println();
            } else {
                report.lines(GivenCommand.text(spec, List.of(), List.of("--delete")))
                        .forEach(out::println);
            }
            out.flush();
            return report.exitCode();
        } catch (IOException e) {
            throw new CommandException(e.getMessage(), e);
        }
    }
}
