package io.drey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.drey.cli.doctor.DoctorOptions;
import io.drey.cli.doctor.Visit;
import io.drey.cli.doctor.Watch;
import io.drey.cli.doctor.finding.FindingList;
import io.drey.cli.doctor.job.JobReader;
import io.drey.cli.terminal.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code drey doctor}: what limits this machine or a running job, and what to do. */
@Command(
        name = "doctor",
        sortOptions = false,
        description = "Says what limits this machine or a running job, and what to do. Changes nothing.",
        footer = {
            "",
            "Examples:",
            "  drey doctor --config flink/conf",
            "  drey doctor --local-dir /mnt/disk1,/mnt/disk2",
            "  drey doctor --rest http://localhost:8081",
            "",
            "Exit codes: 0 nothing but notes, 3 something was found, 1 it could not look, 2 the command was wrong."
        })
final class DoctorCommand implements Callable<Integer> {
    private static final String CLEAR = "\u001B[H\u001B[2J";

    @Spec
    private CommandSpec spec;

    @Mixin
    private DoctorOptions options;

    @Override
    public Integer call() throws CommandException, InterruptedException {
        String wrong = options.wrong(spec);
        if (wrong != null) {
            throw new ParameterException(spec.commandLine(), wrong);
        }
        PrintWriter out = spec.commandLine().getOut();
        try {
            if (options.rest() == null) {
                return print(Visit.machine(options.config(), options.directories()), out);
            }
            JobReader reader = new JobReader(options.rest());
            Watch.Look look =
                    () -> Visit.job(reader, options.job(), options.span().toMillis());
            return options.watch() ? watch(look, out) : print(look.at(), out);
        } catch (IOException e) {
            throw new CommandException(e.getMessage(), e);
        }
    }

    /** Until nobody reads any more or somebody presses Ctrl-C: nothing has to be put in order then. */
    private int watch(Watch.Look look, PrintWriter out) throws IOException, InterruptedException {
        return new Watch(look)
                .run(
                        found -> {
                            out.print(System.console() == null ? "" : CLEAR);
                            print(found, out);
                            return !out.checkError();
                        },
                        failure -> spec.commandLine().getErr().println("drey: " + failure));
    }

    private int print(FindingList findings, PrintWriter out) throws JsonProcessingException {
        if (options.json()) {
            out.println(findings.json());
        } else {
            findings.lines().forEach(out::println);
        }
        out.flush();
        return findings.exitCode();
    }
}
