package io.drey.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.bench.run.MachineFacts;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.Sentence;
import io.drey.cli.terminal.StandardOutput;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code drey} command. What goes wrong is one sentence on standard error, and an exit code. */
@Command(
        name = "drey",
        description = "Drey is the storage layer for stateful Apache Flink jobs.",
        versionProvider = Drey.Versions.class,
        subcommands = {
            DemoCommand.class,
            CompareCommand.class,
            InspectCommand.class,
            DoctorCommand.class,
            CheckpointsCommand.class,
            ShuffleWorkerCommand.class,
            ShuffleCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footer = {"", "'drey COMMAND --help' explains a command."})
public final class Drey extends CommandGroup {
    private static final String DOUBLED = "option option ";

    @Option(names = "--help", usageHelp = true, scope = ScopeType.INHERIT, description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it, in every command
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Show the versions of Drey, Flink and Java.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean version;

    private Drey() {}

    /** Versions of all that runs here. */
    static final class Versions implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String java = System.getProperty("java.version") + " of " + System.getProperty("java.home");
            return new String[] {"Drey " + MachineFacts.drey(), "Flink " + MachineFacts.flink(), "Java " + java};
        }
    }

    public static void main(String[] args) {
        StandardOutput output = new StandardOutput();
        PrintWriter out = new PrintWriter(output, true, charset(Charset.defaultCharset()));
        int code;
        try {
            code = commandLine().setOut(out).execute(args);
        } catch (OutOfMemoryError e) {
            System.err.println("drey: The heap of " + (Runtime.getRuntime().maxMemory() >> 20) + " MB is too small for"
                    + " this (" + e.getMessage() + "): give it more by the environment, DREY_JAVA_OPTS=-Xmx4g.");
            code = DemoCommand.EXIT_FAILED;
        }
        out.flush();
        if (output.isLost() && code != DemoCommand.EXIT_FAILED) {
            System.err.println("drey: " + StandardOutput.LOST);
            code = DemoCommand.EXIT_FAILED;
        }
        System.exit(code);
    }

    /**
     * The character set of what is printed: where the environment names none, as that of a service does, Java 17 has
     * ASCII for it, and in its place a question mark for each letter beyond, also of keys in JSON.
     */
    static Charset charset(Charset ofEnvironment) {
        return ofEnvironment.equals(US_ASCII) ? UTF_8 : ofEnvironment;
    }

    static CommandLine commandLine() {
        return new CommandLine(new Drey())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Drey::usageError)
                .setExecutionExceptionHandler(Drey::failure);
    }

    private static int usageError(ParameterException e, String[] args) {
        String sentence = sentence(e);
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = e.getCommandLine().getErr();
        err.println("drey: " + Sentence.ended(sentence) + " See '" + command + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static String sentence(ParameterException e) {
        Set<String> commands = e.getCommandLine().getSubcommands().keySet();
        if (e instanceof UnmatchedArgumentException unmatched) {
            String first = unmatched.getUnmatched().get(0);
            if (!commands.isEmpty() && !first.startsWith("-")) {
                return "There is no command '" + first + "'; expected " + String.join(" or ", commands);
            }
            if (!first.startsWith("-")) {
                return "Expected an option, found '" + first + "'";
            }
        }
        String message = e.getMessage().lines().findFirst().orElse("The command is wrong");
        return message.replace(DOUBLED, DOUBLED.substring(DOUBLED.indexOf(' ') + 1));
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
