package io.drey.shuffle.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.shuffle.protocol.block.RunHeader;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FrameHeader;
import io.drey.shuffle.protocol.frame.FrameReader;
import io.drey.shuffle.protocol.frame.FrameType;
import io.drey.shuffle.protocol.message.Fetching;
import io.drey.shuffle.protocol.message.Handshake;
import io.drey.shuffle.protocol.message.PartitionKey;
import io.drey.shuffle.protocol.message.Writing;
import io.drey.shuffle.worker.catalog.Catalog;
import io.drey.shuffle.worker.catalog.DrivenDisks;
import io.drey.shuffle.worker.catalog.Storage;
import io.drey.shuffle.worker.device.DeviceDriver;
import io.drey.shuffle.worker.device.DeviceLoop;
import io.drey.shuffle.worker.memory.ScarceSlabs;
import io.drey.shuffle.worker.memory.Slab;
import io.drey.shuffle.worker.memory.SlabPool;
import io.drey.shuffle.worker.memory.SlabRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection for whose frames there is no memory ends, and gives back what it has: once. */
final class ConnectionMemoryTest {
    private static final int RUN_BYTES = 1000;

    private final ScarceMemory memory = new ScarceMemory();
    private final AtomicBoolean hasNoSlabs = new AtomicBoolean();
    private final SlabPool pool = ScarceSlabs.pool(8L * Slab.BYTES, hasNoSlabs);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private WorkerState state;

    private WorkerConnection connect(Storage storage, Catalog catalog) {
        state = new WorkerState(storage, pool, catalog, new Handshake(null), 1 << 20, null, null);
        channel.config().setAllocator(memory);
        WorkerConnection connection = new WorkerConnection(channel, state, new Requests(state));
        channel.pipeline().addLast(new FrameReader(connection, connection::isReady));
        return connection;
    }

    /** A run in slabs that were read. */
    private DataRun run(WorkerConnection connection, Slab[] slabs, int at, int bytes) {
        SlabRange range = SlabRange.of(pool, slabs, at, bytes);
        return new DataRun(connection, 1, 0, 0, 1, range, connection.outbox().hold(range));
    }

    private static void sendEnd(WorkerConnection connection) {
        connection.sendLater(FrameType.READ_END, 0, 1, 0, 0, new Fetching.ReadEnd(0));
    }

    /** Two frames of runs, the first of which spans slabs, and control frames between and behind them. */
    private void send(WorkerConnection connection, Slab[] slabs) {
        connection.send(run(connection, slabs, 0, 2 * Slab.BYTES));
        for (int i = 1; i < 4; i++) {
            connection.send(run(connection, slabs, i * RUN_BYTES, RUN_BYTES));
        }
        sendEnd(connection);
        connection.send(run(connection, slabs, 0, RUN_BYTES));
        sendEnd(connection);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatIsSentWithoutMemoryEndsTheConnectionAndIsGivenBackOnce(int frames) {
        WorkerConnection connection = connect(null, null);
        Slab[] slabs = new Slab[2];
        assertThat(pool.takeToRead(slabs, slabs.length)).isTrue();
        memory.refuseAfter(frames);
        send(connection, slabs);
        channel.runPendingTasks();
        assertThat(memory.isRefused()).isTrue();
        assertThat(channel.isOpen()).isFalse();
        // What a device brings after it.
        connection.send(run(connection, slabs, 0, RUN_BYTES));
        sendEnd(connection);
        channel.runPendingTasks();
        expectGivenBackOnce(connection, slabs);
    }

    private void expectGivenBackOnce(WorkerConnection connection, Slab[] slabs) {
        channel.releaseOutbound();
        assertThat(memory.kept()).isZero();
        // Whoever read them has its own share, as another reader of the same slabs would.
        assertThat(pool.usedBytes()).isEqualTo(2L * Slab.BYTES);
        for (Slab each : slabs) {
            pool.release(each);
        }
        assertThat(pool.usedBytes()).isZero();
        assertThat(connection.outbox().unsentBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 9, 10, 11, 12, 13})
    void whatIsSentWhileTheConnectionIsCutIsGivenBackOnce(int writes) {
        WorkerConnection connection = connect(null, null);
        AtomicInteger left = new AtomicInteger(writes);
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                if (left.decrementAndGet() == 0) {
                    // All that is written from now on fails at once, and ends the connection in the midst of it.
                    channel.close();
                }
                context.write(message, promise);
            }
        });
        Slab[] slabs = new Slab[2];
        assertThat(pool.takeToRead(slabs, slabs.length)).isTrue();
        send(connection, slabs);
        channel.runPendingTasks();
        assertThat(left).hasNonPositiveValue();
        assertThat(channel.isOpen()).isFalse();
        expectGivenBackOnce(connection, slabs);
    }

    @Test
    void whatAClientDoesNotReadIsMadeWhenItDoes() {
        WorkerConnection connection = connect(null, null);
        AtomicBoolean isStuck = new AtomicBoolean(true);
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void flush(ChannelHandlerContext context) {
                if (!isStuck.get()) {
                    context.flush();
                }
            }
        });
        int answers = 10_000;
        for (int i = 0; i < answers; i++) {
            sendEnd(connection);
        }
        channel.runPendingTasks();
        // The bound of the channel, 64 KB here, not all answers.
        assertThat(memory.kept()).isBetween(1L, answers / 4L);
        isStuck.set(false);
        channel.flush();
        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).hasSize(answers);
        channel.releaseOutbound();
    }

    @Test
    void aFrameThatIsBegunIsWhole() {
        WorkerConnection connection = connect(null, null);
        Slab[] slabs = new Slab[2];
        assertThat(pool.takeToRead(slabs, slabs.length)).isTrue();
        memory.refuseAfter(1);
        connection.send(run(connection, slabs, 0, RUN_BYTES));
        connection.send(run(connection, slabs, RUN_BYTES, RUN_BYTES));
        channel.runPendingTasks();
        int bytes = 0;
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            bytes += part.readableBytes();
            part.release();
        }
        assertThat(bytes).isEqualTo(FrameHeader.BYTES + 2 * (RunHeader.HEADER_BYTES + RUN_BYTES));
    }

    /** A device whose turns are the test's. */
    private static final class StepDriver implements DeviceDriver {
        private DeviceLoop loop;

        @Override
        public void start(DeviceLoop started) {
            loop = started;
        }

        @Override
        public void wake() {}

        @Override
        public boolean awaitEnd() {
            while (loop.turn()) {
                continue;
            }
            loop.closeFiles();
            return true;
        }
    }

    private static ByteBuf frame(FrameType type, int stream, Body body) {
        return FrameHeader.frame(UnpooledByteBufAllocator.DEFAULT, type, 0, stream, 0, 0, body);
    }

    @TempDir
    Path directory;

    private final StepDriver driver = new StepDriver();

    private Storage storage() throws IOException {
        return Storage.open(List.of(directory), new DrivenDisks(path -> driver), pool, 0);
    }

    /** Two writers of a client. */
    private void connectWriters(Storage storage) throws IOException {
        connect(storage, new Catalog(storage, () -> 0, () -> 0, 60_000));
        channel.writeInbound(frame(FrameType.HELLO, 0, new Handshake(null).hello("test")));
        for (int i = 1; i <= 2; i++) {
            PartitionKey key = new PartitionKey("job", "exchange", i, 1);
            channel.writeInbound(frame(FrameType.OPEN, i, new Writing.Open(key, 2)));
        }
        assertThat(state.writers()).isEqualTo(2);
    }

    private void expectNoWriter() {
        while (driver.loop.turn()) {
            channel.runPendingTasks();
        }
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(state.writers()).isZero();
        assertThat(pool.usedBytes()).isZero();
        channel.releaseOutbound();
        assertThat(memory.kept()).isZero();
    }

    @Test
    void aClientToWhomItsErrorCannotBeSaidLeavesNoWriter() throws Exception {
        try (Storage storage = storage()) {
            connectWriters(storage);
            memory.refuseAfter(0);
            channel.writeInbound(UnpooledByteBufAllocator.DEFAULT.buffer().writeZero(FrameHeader.BYTES));
            assertThat(memory.isRefused()).isTrue();
            expectNoWriter();
        }
    }

    @Test
    void aWriterToWhomItCannotBeSaidThatItIsOpenIsNotCounted() throws Exception {
        try (Storage storage = storage()) {
            connectWriters(storage);
            memory.refuseAfter(0);
            PartitionKey key = new PartitionKey("job", "exchange", 3, 1);
            channel.writeInbound(frame(FrameType.OPEN, 3, new Writing.Open(key, 2)));
            assertThat(memory.isRefused()).isTrue();
            expectNoWriter();
        }
    }

    @Test
    void aWriterForWhoseRegionThereIsNoMemoryLeavesNoOtherWriter() throws Exception {
        try (Storage storage = storage()) {
            connectWriters(storage);
            hasNoSlabs.set(true);
            channel.writeInbound(FrameHeader.bare(UnpooledByteBufAllocator.DEFAULT, FrameType.BEGIN, 0, 1, 0, 0));
            expectNoWriter();
        }
    }
}
