package io.drey.cli.shuffle;

import io.drey.cli.terminal.CommandException;
import io.drey.cli.terminal.DirectoryFailure;
import io.drey.foundation.DreyException;
import io.drey.shuffle.worker.ShuffleWorker;
import io.drey.shuffle.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;

/** A worker that runs until it is told to drain, by a signal or by a command. */
public final class WorkerProcess {
    private final ShuffleWorker worker;

    private WorkerProcess(ShuffleWorker worker) {
        this.worker = worker;
    }

    public static void run(Map<String, String> options, PrintWriter out) throws CommandException {
        System.setProperty("drey.log.to", "console");
        WorkerProcess process;
        try {
            process = new WorkerProcess(ShuffleWorker.open(WorkerOptions.of(options)));
        } catch (DreyException e) {
            throw new CommandException("The worker does not start: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandException("The worker does not start: " + DirectoryFailure.why(e), e);
        }
        Thread end = new Thread(() -> process.end(out), "drey-shuffle-end");
        Runtime.getRuntime().addShutdownHook(end);
        out.println("Worker " + process.worker.id() + " listens at " + process.worker.host() + ":"
                + process.worker.port() + ".");
        out.flush();
        process.worker.drainRequested().join();
        out.println("A command asked for a drain.");
        out.flush();
    }

    /** Whoever ends the process: the worker drains first. */
    private void end(PrintWriter out) {
        worker.drain();
        worker.awaitDrained();
        try {
            worker.close();
        } catch (IOException e) {
            out.println("The worker could not close its files; a restart will find what they hold: " + e.getMessage());
            out.flush();
        }
    }
}
