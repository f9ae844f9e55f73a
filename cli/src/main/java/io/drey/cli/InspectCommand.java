package io.drey.cli;

import io.drey.cli.inspect.InspectOptions;
import io.drey.cli.inspect.Inspection;
import io.drey.cli.inspect.web.PageServer;
import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.ProgressLine;
import io.drey.cli.terminal.Sentence;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drey inspect}: looks into checkpoints, savepoints and local files, and changes nothing. */
@Command(
        name = "inspect",
        sortOptions = false,
        description = "Looks into a checkpoint, a savepoint, or local files of Drey. Changes nothing.",
        subcommands = InspectDiffCommand.class,
        footer = {
            "",
            "Examples:",
            "  drey inspect checkpoints/JOB/chk-42",
            "  drey inspect savepoint-1a2b --scan --ttl 60min",
            "  drey inspect checkpoints/JOB --key N12345 --classpath job.jar",
            "  drey inspect savepoint-1a2b --state orders --export csv --to orders.csv",
            "  drey inspect diff chk-41 chk-42",
            "",
            "Exit codes: 0 done, 1 something is damaged, missing or of another kind, 2 the command was wrong."
        })
final class InspectCommand implements Callable<Integer> {
    private static final int MOMENTS_BETWEEN_LINES = 25;

    @Spec
    private CommandSpec spec;

    @Mixin
    private InspectOptions options;

    @Override
    public Integer call() throws CommandException, InterruptedException {
        String wrong = options.wrong();
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        if (options.web() != null) {
            return serve();
        }
        ProgressLine progress = ProgressLine.onConsole(spec.commandLine().getErr(), MOMENTS_BETWEEN_LINES);
        new Inspection(options, spec.commandLine().getOut(), progress).run();
        return 0;
    }

    /** Serves the page until Ctrl-C ends the process. */
    private int serve() throws CommandException, InterruptedException {
        try (PageServer server = new PageServer(options.path(), options.classPath(), options.web())) {
            PrintWriter out = spec.commandLine().getOut();
            out.println(server.address() + " shows " + options.path() + " to this machine; Ctrl-C ends it.");
            out.flush();
            new CountDownLatch(1).await();
            return 0;
        } catch (IOException | DreyException e) {
            throw new CommandException(Sentence.of(e), e);
        }
    }
}
