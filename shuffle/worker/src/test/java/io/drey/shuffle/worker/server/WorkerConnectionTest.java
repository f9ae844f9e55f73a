package io.drey.shuffle.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

final class WorkerConnectionTest {
    @Test
    void anErrorInATaskEndsTheConnectionSoThatNobodyWaitsForItsAnswer() {
        SlabPool pool = new SlabPool(4L * Slab.BYTES);
        WorkerState state = new WorkerState(null, pool, null, new Handshake(null), 1, null, null);
        EmbeddedChannel channel = new EmbeddedChannel();
        WorkerConnection connection = new WorkerConnection(channel, state, new Requests(state));
        channel.pipeline().addLast(new FrameReader(connection, connection::isReady));
        connection.execute(() -> {
            throw new InternalError("broken");
        });
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
    }
}
