package io.drey.cli;

import io.drey.cli.inspect.DiffRun;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drey inspect diff}: what changed between two snapshots of a job. */
@Command(
        name = "diff",
        sortOptions = false,
        description = "Compares two checkpoints or savepoints of a job: what grew, which keys.")
final class InspectDiffCommand implements Callable<Integer> {
    private static final int MOMENTS_BETWEEN_LINES = 25;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BEFORE", description = "The older one.")
    private Path before;

    @Parameters(index = "1", paramLabel = "AFTER", description = "The newer one.")
    private Path after;

    @Option(names = "--classpath", paramLabel = "JARS", description = "The job's jars, for types of its own.")
    private String classPath;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() throws CommandException {
        ProgressLine progress = ProgressLine.onConsole(spec.commandLine().getErr(), MOMENTS_BETWEEN_LINES);
        new DiffRun(before, after, classPath, json).run(spec.commandLine().getOut(), progress);
        return 0;
    }
}
