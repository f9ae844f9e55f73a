package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.shuffle.client.Candidate;
import io.drey.shuffle.client.ClientOptions;
import io.drey.shuffle.client.ShuffleClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.core.memory.MemorySegmentProvider;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.runtime.checkpoint.channel.ChannelStateWriter;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.io.network.ConnectionID;
import org.apache.flink.runtime.io.network.LocalConnectionManager;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;
import org.apache.flink.runtime.io.network.buffer.NetworkBuffer;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultPartitionType;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;
import org.apache.flink.runtime.io.network.partition.consumer.RemoteInputChannel;
import org.apache.flink.runtime.io.network.partition.consumer.SingleInputGate;
import org.apache.flink.runtime.jobgraph.IntermediateDataSetID;
import org.apache.flink.runtime.jobgraph.IntermediateResultPartitionID;
import org.apache.flink.runtime.throughput.ThroughputCalculator;
import org.apache.flink.util.clock.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A channel over two subpartitions is given a block for all, which came once. */
final class RemoteChannelReaderTest {
    private static final int SEGMENT_BYTES = 100;
    private static final byte[] PAYLOAD = {1, 2, 3};
    private static final int COMPRESSED_FOR_ALL = BlockFlags.of(DataType.DATA_BUFFER, true, true);

    private record Received(Buffer buffer, int subpartition) {}

    /** Has network buffers, and keeps what it is given, until it is to fail. */
    private static final class Channel extends RemoteInputChannel {
        private final List<MemorySegment> recycled = new ArrayList<>();
        private final List<Received> received = new ArrayList<>();
        private int takes = Integer.MAX_VALUE;

        Channel(SingleInputGate gate, ResultPartitionID partition) {
            super(
                    gate,
                    0,
                    partition,
                    new ResultSubpartitionIndexSet(0, 1),
                    new ConnectionID(ResourceID.generate(), new InetSocketAddress("localhost", 1), 0),
                    new LocalConnectionManager(),
                    0,
                    0,
                    0,
                    2,
                    new SimpleCounter(),
                    new SimpleCounter(),
                    ChannelStateWriter.NO_OP,
                    new ArrayDeque<>());
        }

        @Override
        public Buffer requestBuffer() {
            return new NetworkBuffer(MemorySegmentFactory.allocateUnpooledSegment(SEGMENT_BYTES), recycled::add);
        }

        @Override
        public void onBuffer(Buffer buffer, int sequence, int backlog, int subpartition) throws IOException {
            if (received.size() >= takes) {
                buffer.recycleBuffer();
                throw new IOException("the channel takes no more");
            }
            received.add(new Received(buffer, subpartition));
        }
    }

    /** Memory of a gate that is never set up. */
    private static final class NoSegments implements MemorySegmentProvider {
        @Override
        public Collection<MemorySegment> requestUnpooledMemorySegments(int count) {
            return List.of();
        }

        @Override
        public void recycleUnpooledMemorySegments(Collection<MemorySegment> segments) {}
    }

    private ShuffleClient workers;
    private Channel channel;
    private RemoteChannelReader reader;

    @BeforeEach
    void open() {
        ResultPartitionID partition = new ResultPartitionID(
                new IntermediateResultPartitionID(new IntermediateDataSetID(), 0), ExecutionAttemptID.randomId());
        SingleInputGate gate = new SingleInputGate(
                "task",
                0,
                new IntermediateDataSetID(),
                ResultPartitionType.BLOCKING,
                1,
                (type, result, consumer) -> {},
                () -> null,
                null,
                new NoSegments(),
                SEGMENT_BYTES,
                new ThroughputCalculator(SystemClock.getInstance()),
                null);
        channel = new Channel(gate, partition);
        List<InetSocketAddress> registries = List.of(new InetSocketAddress("localhost", 1));
        workers = ShuffleClient.open(new ClientOptions(registries, null, 1, Duration.ofHours(1)));
        List<Candidate> candidates = List.of(new Candidate(new UUID(1, 1), "localhost", 1));
        reader = new RemoteChannelReader(new DreyShuffleDescriptor(new JobID(), "job", partition, candidates), workers);
        reader.requestSubpartition(partition, new ResultSubpartitionIndexSet(0, 1), channel, 0);
    }

    @AfterEach
    void close() {
        workers.close();
    }

    private void block() throws IOException {
        reader.blockBegins(PAYLOAD.length, COMPRESSED_FOR_ALL).put(PAYLOAD);
        reader.blockEnds(0, PAYLOAD.length, COMPRESSED_FOR_ALL, 0);
    }

    @Test
    void aCompressedBlockForAllIsGivenToEachSubpartitionOfARange() throws Exception {
        block();
        assertThat(channel.received).extracting(Received::subpartition).containsExactly(0, 1);
        assertThat(channel.received).extracting(Received::buffer).allSatisfy(buffer -> {
            assertThat(buffer.isCompressed()).isTrue();
            assertThat(buffer.getDataType()).isEqualTo(DataType.DATA_BUFFER);
            byte[] bytes = new byte[PAYLOAD.length];
            buffer.getNioBufferReadable().get(bytes);
            assertThat(bytes).isEqualTo(PAYLOAD);
        });
        channel.received.get(0).buffer().recycleBuffer();
        assertThat(channel.recycled).isEmpty();
        channel.received.get(1).buffer().recycleBuffer();
        assertThat(channel.recycled).hasSize(1);
    }

    @Test
    void aBlockForAllThatTheChannelDoesNotTakeKeepsNoNetworkBuffer() {
        for (int takes = 0; takes < 2; takes++) {
            channel.recycled.clear();
            channel.received.clear();
            channel.takes = takes;
            assertThatThrownBy(this::block).hasMessage("the channel takes no more");
            // As its stream does then.
            reader.failed(new IOException("failed"));
            channel.received.forEach(each -> each.buffer().recycleBuffer());
            assertThat(channel.recycled).hasSize(1);
        }
    }
}
