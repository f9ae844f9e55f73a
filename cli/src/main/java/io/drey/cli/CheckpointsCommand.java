package io.drey.cli;

import picocli.CommandLine.Command;

/** {@code drey checkpoints}: what is done with directories of checkpoints. */
@Command(
        name = "checkpoints",
        description = "Looks after directories of checkpoints.",
        subcommands = CheckpointsAuditCommand.class,
        synopsisSubcommandLabel = "COMMAND")
final class CheckpointsCommand extends CommandGroup {}
