package io.drey.shuffle.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fault;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.Membership.Exclude;
import io.drey.shuffle.registry.Exclusions;
import io.drey.shuffle.registry.WorkerRegistry;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.disk.LocalDisk;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerConnectionTest {
    private final SlabPool pool = new SlabPool(4L * Slab.BYTES);
    private final EmbeddedChannel channel = new EmbeddedChannel();

    private WorkerConnection connect(Storage storage, WorkerRegistry registry) {
        WorkerState state = new WorkerState(storage, pool, null, new Handshake(null), 1, registry, null);
        WorkerConnection connection = new WorkerConnection(channel, state, new Requests(state));
        channel.pipeline().addLast(new FrameReader(connection, connection::isReady));
        return connection;
    }

    @Test
    void anErrorInATaskEndsTheConnectionSoThatNobodyWaitsForItsAnswer() {
        connect(null, null).execute(() -> {
            throw new InternalError("broken");
        });
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
    }

    private void receive(FrameType type, int stream, Body body) {
        channel.writeInbound(FrameHeader.frame(UnpooledByteBufAllocator.DEFAULT, type, 0, stream, 0, 0, body));
    }

    private void advance(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        channel.runPendingTasks();
    }

    /** Operators wait for half a minute, and a directory counts as one that hangs after a whole one. */
    @Test
    void anOrderToExcludeThatNoDirectoryTakesIsAnsweredWithoutIt(@TempDir Path directory) throws Exception {
        channel.freezeTime();
        WorkerRegistry registry = new WorkerRegistry(() -> 0, Exclusions.NONE, list -> new CompletableFuture<>());
        try (Storage storage = Storage.open(List.of(directory), LocalDisk::new, pool, 0)) {
            connect(storage, registry);
            receive(FrameType.HELLO, 0, new Handshake(null).hello("test"));
            channel.releaseOutbound();
            receive(FrameType.EXCLUDE, 7, new Exclude(new UUID(0, 1), true, ""));
            advance(9);
            assertThat(channel.<ByteBuf>readOutbound()).isNull();
            advance(1);
            ByteBuf answer = channel.readOutbound();
            assertThat(answer.getUnsignedByte(4)).isEqualTo((short) FrameType.FAILED.code());
            assertThat(Fault.read(new FieldReader("FAILED", answer.skipBytes(FrameHeader.BYTES)))
                            .sentence())
                    .contains("until the registry's worker ends", "no directory has taken it within 10 s");
            answer.release();
        }
        channel.releaseOutbound();
    }
}
