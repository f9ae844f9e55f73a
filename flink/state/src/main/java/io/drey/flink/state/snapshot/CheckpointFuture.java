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
import org.apache.flink.runtime.state.StateUtil;

/**
 * A checkpoint or native savepoint under way, which Flink runs, gets or cancels. Cancelled in the moment between the
 * end of its work and the result being there for others, Flink's own future forgets the result, and its files would
 * stay for ever: nobody else knows them. This one discards it.
 */
public final class CheckpointFuture implements RunnableFuture<SnapshotResult<KeyedStateHandle>> {
    private final RunnableFuture<SnapshotResult<KeyedStateHandle>> future;

    /** Of the thread that runs it. */
    private SnapshotResult<KeyedStateHandle> made;

    /** Flink's request for a checkpoint, see {@code Snapshotable#snapshot}. */
    public record Request(
            long checkpointId, long timestamp, CheckpointStreamFactory streams, CheckpointOptions options) {}

    /**
     * Does the synchronous part.
     *
     * @param cancellation closes the snapshot when the task is cancelled
     */
    public <R extends SnapshotResources> CheckpointFuture(
            SnapshotStrategy<KeyedStateHandle, R> strategy, Request request, CloseableRegistry cancellation)
            throws Exception {
        future = new SnapshotStrategyRunner<>(
                        "Drey checkpoint", keepingResult(strategy), cancellation, SnapshotExecutionType.ASYNCHRONOUS)
                .snapshot(request.checkpointId(), request.timestamp(), request.streams(), request.options());
    }

    private <R extends SnapshotResources> SnapshotStrategy<KeyedStateHandle, R> keepingResult(
            SnapshotStrategy<KeyedStateHandle, R> strategy) {
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
                SnapshotResultSupplier<KeyedStateHandle> snapshot =
                        strategy.asyncSnapshot(resources, checkpointId, timestamp, streams, options);
                return registry -> made = snapshot.get(registry);
            }
        };
    }

    @Override
    public void run() {
        future.run();
        if (future.isCancelled() && made != null) {
            discard();
        }
        made = null;
    }

    /**
     * Not interrupted, as whoever cancels the checkpoint may have done: there are file systems that delete nothing
     * then.
     */
    private void discard() {
        boolean interrupted = Thread.interrupted();
        StateUtil.discardStateObjectQuietly(made);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return future.cancel(mayInterruptIfRunning);
    }

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
