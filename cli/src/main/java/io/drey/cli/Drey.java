package io.drey.cli;

import io.drey.cli.terminal.CommandException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code drey} command. What goes wrong is one sentence on standard error, and an exit code. */
@Command(
        name = "drey",
        description = "Drey is the storage layer for stateful Apache Flink jobs.",
        subcommands = {DemoCommand.class, CompareCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {"", "'drey COMMAND --help' explains a command."})
public final class Drey implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--help", usageHelp = true, description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    private Drey() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Drey())
                .setParameterExceptionHandler(Drey::usageError)
                .setExecutionExceptionHandler(Drey::failure);
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int usageError(ParameterException e, String[] args) {
        String message = e.getMessage().lines().findFirst().orElse("The command is wrong.");
        String sentence = message.endsWith(".") ? message : message + ".";
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = e.getCommandLine().getErr();
        err.println("drey: " + sentence + " See '" + command + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    /** Whatever is not foreseen keeps its stack: it is a mistake of the program and not of the user. */
    private static int failure(Exception e, CommandLine commandLine, ParseResult result) throws Exception {
        if (!(e instanceof CommandException)) {
            throw e;
        }
        commandLine.getErr().println("drey: " + e.getMessage());
        return DemoCommand.EXIT_FAILED;
    }
}
