package io.drey.cli.inspect;

import io.drey.bench.format.Quantity;
import io.drey.cli.inspect.snapshot.FileCheck;
import io.drey.cli.inspect.snapshot.Snapshot;
import io.drey.cli.inspect.snapshot.SnapshotOperator;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.cli.terminal.ProgressLine;
import io.drey.foundation.DreyException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads all files of a snapshot and finds those that are damaged or missing. Several are read at a time, each with a
 * buffer of its own: a disk gives most to several readers.
 */
final class Verification {
    private static final long MILLIS_BETWEEN_MOMENTS = 200;
    private static final int THREADS_MAX = 8;
    private static final int PROBLEMS_MAX = 20;

    private final Snapshot snapshot;
    private final ProgressLine progress;
    private final AtomicLong bytes = new AtomicLong();

    /** A check and whose file it reads. */
    private record Check(String owner, Future<?> outcome) {}

    Verification(Snapshot snapshot, ProgressLine progress) {
        this.snapshot = snapshot;
        this.progress = progress;
    }

    /** A sentence for each file that is not as it should be, for the first of them if there are very many. */
    List<String> problems() throws InterruptedException {
        List<String> problems = new ArrayList<>();
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(2 * Runtime.getRuntime().availableProcessors(), THREADS_MAX));
        try {
            for (Check check : begin(threads, problems)) {
                Exception failure = failure(check.outcome());
                if (failure != null) {
                    problems.add(check.owner() + ": " + failure.getMessage());
                }
                if (problems.size() >= PROBLEMS_MAX) {
                    problems.add("No more was read.");
                    break;
                }
            }
        } finally {
            threads.shutdownNow();
            progress.end();
        }
        return problems;
    }

    private List<Check> begin(ExecutorService threads, List<String> problems) {
        List<Check> all = new ArrayList<>();
        for (SnapshotOperator operator : snapshot.operators()) {
            String owner = "Operator " + operator.name();
            submit(threads, owner + ", operator state or data in flight", operator.plainChecks(), all);
            for (SubtaskPart each : operator.keyed()) {
                String subtask = owner + ", subtask " + each.subtask();
                try {
                    submit(threads, subtask, each.part().checks(), all);
                } catch (IOException | DreyException e) {
                    problems.add(subtask + ": " + e.getMessage());
                }
            }
        }
        return all;
    }

    private void submit(ExecutorService threads, String owner, List<FileCheck> checks, List<Check> all) {
        for (FileCheck check : checks) {
            all.add(new Check(owner, threads.submit(() -> {
                check.run(bytes::addAndGet);
                return null;
            })));
        }
    }

    /** What is wrong with a file, once it was read, or null; shows the progress meanwhile. */
    private Exception failure(Future<?> outcome) throws InterruptedException {
        while (true) {
            try {
                outcome.get(MILLIS_BETWEEN_MOMENTS, TimeUnit.MILLISECONDS);
                return null;
            } catch (TimeoutException e) {
                long all = snapshot.bytes();
                // Parts of a file overlap where they are read ahead.
                progress.show("Verified " + Quantity.size(Math.min(bytes.get(), all)) + " of " + Quantity.size(all));
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException || e.getCause() instanceof DreyException) {
                    return (Exception) e.getCause();
                }
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
