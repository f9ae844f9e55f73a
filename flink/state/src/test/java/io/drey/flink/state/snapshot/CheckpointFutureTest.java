package io.drey.flink.state.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.apache.flink.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A checkpoint can be taken back at every moment until Flink acknowledges it, and Flink discards nothing itself. */
final class CheckpointFutureTest {
    private final CountedHandle written = new CountedHandle();
    private final AtomicReference<Runnable> atTheEnd = new AtomicReference<>(() -> {});
    private Runnable beginning = () -> {};
    private int withdrawn;
    private int released;

    @AfterEach
    void takeBackTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void oneCancelledBeforeAnybodyCouldGetItIsWithdrawn() throws Exception {
        CheckpointFuture checkpoint = run(new CloseableRegistry());
        atTheEnd.set(() -> assertThat(checkpoint.cancel(true)).isTrue());

        checkpoint.run();

        assertThat(checkpoint.isCancelled()).isTrue();
        assertThatThrownBy(checkpoint::get).isInstanceOf(CancellationException.class);
        assertThat(withdrawn).isPositive();
    }

    @Test
    void aResultThatNobodyWantsIsWithdrawnAndNotDiscarded() throws Exception {
        CheckpointFuture checkpoint = run(new CloseableRegistry());

        checkpoint.run();

        assertThat(checkpoint.get().getJobManagerOwnedSnapshot()).isSameAs(written);
        assertThat(withdrawn).isZero();
        // As Flink does with a checkpoint that is done, and then not wanted.
        StateUtil.discardStateFuture(checkpoint);
        assertThat(withdrawn).isEqualTo(1);
        assertThat(written.discarded).as("later checkpoints may list its files").isZero();
    }

    @Test
    void oneCancelledBeforeItRunsIsWithdrawn() throws Exception {
        CheckpointFuture checkpoint = run(new CloseableRegistry());
        atTheEnd.set(() -> {
            throw new AssertionError("it ran");
        });

        StateUtil.discardStateFuture(checkpoint);
        checkpoint.run();

        assertThat(checkpoint.isCancelled()).isTrue();
        assertThat(withdrawn).isPositive();
    }

    @Test
    void oneThatEndsWithItsTaskIsWithdrawn() throws Exception {
        CloseableRegistry task = new CloseableRegistry();
        CheckpointFuture checkpoint = run(task);
        atTheEnd.set(() -> IOUtils.closeQuietly(task));

        checkpoint.run();

        assertThat(checkpoint.isCancelled()).isTrue();
        assertThat(withdrawn).isPositive();
    }

    @Test
    void oneThatCannotBeginIsWithdrawn() throws Exception {
        CloseableRegistry closed = new CloseableRegistry();
        closed.close();

        assertThatThrownBy(() -> run(closed)).isInstanceOf(IOException.class);

        assertThat(withdrawn).isPositive();
    }

    @Test
    void whatOneThatCannotBeginHasTakenIsGivenBack() {
        beginning = () -> {
            throw new OutOfMemoryError("unable to create native thread");
        };

        assertThatThrownBy(() -> run(new CloseableRegistry())).isInstanceOf(OutOfMemoryError.class);

        assertThat(released).isEqualTo(1);
    }

    private CheckpointFuture run(CloseableRegistry task) throws Exception {
        return new CheckpointFuture(new Writing(), new CheckpointFuture.Request(1, 0, null, null), task);
    }

    /** Writes one handle, and then does what the test wants to happen in that moment. */
    private final class Writing implements CheckpointRun.Strategy<SnapshotResources> {
        @Override
        public SnapshotResources syncPrepareResources(long checkpointId) {
            return () -> released++;
        }

        @Override
        public CheckpointRun asyncSnapshot(
                SnapshotResources resources,
                long checkpointId,
                long timestamp,
                CheckpointStreamFactory streams,
                CheckpointOptions options) {
            beginning.run();
            return new CheckpointRun() {
                @Override
                public SnapshotResult<KeyedStateHandle> get(CloseableRegistry registry) {
                    atTheEnd.get().run();
                    return SnapshotResult.of(written);
                }

                @Override
                public void withdraw() {
                    withdrawn++;
                }
            };
        }
    }

    private static final class CountedHandle extends KeyGroupsStateHandle {
        private static final long serialVersionUID = 1;

        private int discarded;

        CountedHandle() {
            super(new KeyGroupRangeOffsets(KeyGroupRange.of(0, 0)), new ByteStreamStateHandle("h", new byte[0]));
        }

        @Override
        public void discardState() {
            discarded++;
        }
    }
}
