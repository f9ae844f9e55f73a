package io.drey.flink.state.snapshot;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotExecutionType;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;

/**
 * A checkpoint or native savepoint under way, which Flink runs, gets or cancels. Flink cancels only what it has not
 * acknowledged and never will. If a future then says that it is too late, Flink discards the result, and with it files
 * that later checkpoints list too. So this one always says that it was cancelled, and takes back what it made itself:
 * its files stay as long as others list them.
 */
public final class CheckpointFuture implements RunnableFuture<SnapshotResult<KeyedStateHandle>> {
    private final RunnableFuture<SnapshotResult<KeyedStateHandle>> future;

    /** Set in the synchronous part. */
    private CheckpointRun checkpoint;

    /** Flink's request for a checkpoint, see {@code Snapshotable#snapshot}. */
    public record Request(
            long checkpointId, long timestamp, CheckpointStreamFactory streams, CheckpointOptions options) {}

    /**
     * Does the synchronous part.
     *
     * @param cancellation closes the snapshot when the task is cancelled
     */
    public <R extends SnapshotResources> CheckpointFuture(
            CheckpointRun.Strategy<R> strategy, Request request, CloseableRegistry cancellation) throws Exception {
        boolean done = false;
        try {
            future = new SnapshotStrategyRunner<>(
                            "Drey checkpoint", keepingRun(strategy), cancellation, SnapshotExecutionType.ASYNCHRONOUS)
                    .snapshot(request.checkpointId(), request.timestamp(), request.streams(), request.options());
            done = true;
        } finally {
            if (!done && checkpoint != null) {
                checkpoint.withdraw();
            }
        }
    }

    private <R extends SnapshotResources> SnapshotStrategy<KeyedStateHandle, R> keepingRun(
            CheckpointRun.Strategy<R> strategy) {
        return new SnapshotStrategy<>() {
            @Override
            public R syncPrepareResources(long checkpointId) throws Exception {
                return strategy.syncPrepareResources(checkpointId);
            }

            @Override
            public SnapshotResultSupplier<KeyedStateHandle> asyncSnapshot(
                    R resources,
                    long checkpointId,
                    long timestamp,
                    CheckpointStreamFactory streams,
                    CheckpointOptions options) {
                try {
                    checkpoint = strategy.asyncSnapshot(resources, checkpointId, timestamp, streams, options);
                    return checkpoint;
                } finally {
                    if (checkpoint == null) {
                        resources.release();
                    }
                }
            }
        };
    }

    @Override
    public void run() {
        future.run();
        if (future.isCancelled()) {
            // Not by cancel of this class, maybe, but with the task's other resources.
            checkpoint.withdraw();
        }
    }

    /** Always true: whatever was made belongs to nobody but others that list it. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        future.cancel(mayInterruptIfRunning);
        checkpoint.withdraw();
        return true;
    }

    /** Whether its work was cut off; one that had ended before still has a result, for statistics. */
    @Override
    public boolean isCancelled() {
        return future.isCancelled();
    }

    @Override
    public boolean isDone() {
        return future.isDone();
    }

    @Override
    public SnapshotResult<KeyedStateHandle> get() throws InterruptedException, ExecutionException {
        return future.get();
    }

    @Override
    public SnapshotResult<KeyedStateHandle> get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(timeout, unit);
    }
}
