package io.drey.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drey checkpoints}: what is done with directories of checkpoints. */
@Command(
        name = "checkpoints",
        description = "Looks after directories of checkpoints.",
        subcommands = CheckpointsAuditCommand.class,
        synopsisSubcommandLabel = "COMMAND")
final class CheckpointsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    /** Without a command there is nothing to do, and that is a mistake. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}
