package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategy;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a checkpoint wrote has an owner at every moment in which it may be cancelled. */
final class CheckpointFutureTest {
    private final CountedHandle written = new CountedHandle();
    private final AtomicReference<Runnable> atTheEnd = new AtomicReference<>(() -> {});

    @AfterEach
    void takeBackTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void whatWasWrittenIsDiscardedIfCancelledBeforeAnybodyCouldGetIt() throws Exception {
        CheckpointFuture checkpoint = run();
        atTheEnd.set(() -> assertThat(checkpoint.cancel(true)).isTrue());

        checkpoint.run();

        assertThat(checkpoint.isCancelled()).isTrue();
        assertThatThrownBy(checkpoint::get).isInstanceOf(CancellationException.class);
        assertThat(written.discarded).isEqualTo(1);
        assertThat(written.wasInterrupted).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void aResultThatCanBeGotStaysToWhoeverGetsIt() throws Exception {
        CheckpointFuture checkpoint = run();

        checkpoint.run();

        assertThat(checkpoint.cancel(true)).isFalse();
        assertThat(checkpoint.get().getJobManagerOwnedSnapshot()).isNotNull();
        assertThat(written.discarded).isZero();
        // As Flink does with a checkpoint that is done, and then not wanted.
        StateUtil.discardStateFuture(checkpoint);
        assertThat(written.discarded).isEqualTo(1);
    }

    @Test
    void oneThatIsCancelledBeforeItRunsWritesNothing() throws Exception {
        CheckpointFuture checkpoint = run();
        atTheEnd.set(() -> {
            throw new AssertionError("it ran");
        });

        assertThat(checkpoint.cancel(true)).isTrue();
        checkpoint.run();

        assertThat(checkpoint.isCancelled()).isTrue();
        assertThat(written.discarded).isZero();
    }

    private CheckpointFuture run() throws Exception {
        return new CheckpointFuture(
                new Writing(), new CheckpointFuture.Request(1, 0, null, null), new CloseableRegistry());
    }

    /** Writes one handle, and then does what the test wants to happen in that moment. */
    private final class Writing implements SnapshotStrategy<KeyedStateHandle, SnapshotResources> {
        @Override
        public SnapshotResources syncPrepareResources(long checkpointId) {
            return () -> {};
        }

        @Override
        public SnapshotResultSupplier<KeyedStateHandle> asyncSnapshot(
                SnapshotResources resources,
                long checkpointId,
                long timestamp,
                CheckpointStreamFactory streams,
                CheckpointOptions options) {
            return registry -> {
                atTheEnd.get().run();
                return SnapshotResult.of(written);
            };
        }
    }

    private static final class CountedHandle extends KeyGroupsStateHandle {
        private static final long serialVersionUID = 1;

        private int discarded;
        private boolean wasInterrupted;

        CountedHandle() {
            super(new KeyGroupRangeOffsets(KeyGroupRange.of(0, 0)), new ByteStreamStateHandle("h", new byte[0]));
        }

        @Override
        public void discardState() {
            discarded++;
            wasInterrupted = Thread.currentThread().isInterrupted();
        }
    }
}
