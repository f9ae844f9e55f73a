package io.drey.cli;

import io.drey.cli.shuffle.WorkerConfig;
import io.drey.cli.shuffle.WorkerProcess;
import io.drey.cli.terminal.CommandException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drey shuffle-worker}: a worker of the remote shuffle service, until it is drained. */
@Command(
        name = "shuffle-worker",
        sortOptions = false,
        description = "Runs a worker of the remote shuffle service until SIGTERM or 'drey shuffle drain'.",
        footer = {
            "",
            "Examples:",
            "  drey shuffle-worker",
            "  drey shuffle-worker --config shuffle-worker.properties",
            "  drey shuffle-worker -D directories=/mnt/disk1,/mnt/disk2 -D host=10.0.0.7 -D registry=10.0.0.1:9470",
        })
final class ShuffleWorkerCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = "Options, in lines 'key: value'.")
    private Path config;

    @Option(names = "-D", paramLabel = "KEY=VALUE", description = "An option, over those of the file.")
    private Map<String, String> options = new TreeMap<>();

    @Override
    public Integer call() throws CommandException {
        WorkerProcess.run(WorkerConfig.read(config, options), spec.commandLine().getOut());
        return 0;
    }
}
