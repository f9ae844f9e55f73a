package io.drey.flink.shuffle;

import io.drey.shuffle.client.ReadListener;
import io.drey.shuffle.client.ReadStream;
import io.drey.shuffle.client.ShuffleClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.runtime.event.AbstractEvent;
import org.apache.flink.runtime.event.TaskEvent;
import org.apache.flink.runtime.io.network.PartitionRequestClient;
import org.apache.flink.runtime.io.network.api.EndOfData;
import org.apache.flink.runtime.io.network.api.EndOfPartitionEvent;
import org.apache.flink.runtime.io.network.api.StopMode;
import org.apache.flink.runtime.io.network.api.serialization.EventSerializer;
import org.apache.flink.runtime.io.network.buffer.Buffer;
import org.apache.flink.runtime.io.network.buffer.FreeingBufferRecycler;
import org.apache.flink.runtime.io.network.buffer.NetworkBuffer;
import org.apache.flink.runtime.io.network.partition.PartitionNotFoundException;
import org.apache.flink.runtime.io.network.partition.ResultPartitionID;
import org.apache.flink.runtime.io.network.partition.ResultSubpartitionIndexSet;
import org.apache.flink.runtime.io.network.partition.consumer.RemoteInputChannel;

/**
 * Feeds one of Flink's remote channels with blocks of a partition. Requests and credits come from Flink's threads,
 * blocks from an event loop, one at a time; the fields below belong to that loop.
 */
final class RemoteChannelReader implements PartitionRequestClient, ReadListener {
    private final DreyShuffleDescriptor descriptor;
    private final ShuffleClient workers;
    private volatile ReadStream stream;
    private RemoteInputChannel channel;
    private int first;
    private int last;
    private int sequence;
    /** The buffer that a block is being read into. */
    private Buffer current;
    /** A network buffer of a block that did not come to its end: its credit is still with the worker. */
    private Buffer spare;

    RemoteChannelReader(DreyShuffleDescriptor descriptor, ShuffleClient workers) {
        this.descriptor = descriptor;
        this.workers = workers;
    }

    @Override
    public void requestSubpartition(
            ResultPartitionID partition,
            ResultSubpartitionIndexSet subpartitions,
            RemoteInputChannel inputChannel,
            int delayMs) {
        if (stream != null) {
            // Asked again by a check of the producer's state: our stream waits by itself.
            return;
        }
        channel = inputChannel;
        first = subpartitions.getStartIndex();
        last = subpartitions.getEndIndex();
        stream = workers.read(
                descriptor.remoteId(), descriptor.candidates(), first, last, inputChannel.getInitialCredit(), this);
        stream.start();
    }

    @Override
    public ByteBuffer blockBegins(int length, int flags) {
        if (current != null) {
            keepForLater(current);
            current = null;
        }
        if (BlockFlags.isData(flags)) {
            Buffer buffer = spare != null ? spare : channel.requestBuffer();
            spare = null;
            if (buffer == null) {
                if (channel.isReleased()) {
                    return null;
                }
                throw new IllegalStateException("expected a network buffer for each credit, found none for " + channel);
            }
            current = buffer;
        } else {
            MemorySegment memory = MemorySegmentFactory.wrap(new byte[length]);
            current = new NetworkBuffer(memory, FreeingBufferRecycler.INSTANCE);
        }
        if (length > current.getMaxCapacity()) {
            throw new IllegalStateException("expected a block of at most " + current.getMaxCapacity() + " bytes, found "
                    + length + " in " + descriptor + ": taskmanager.memory.segment-size must be the same everywhere");
        }
        return current.getNioBuffer(0, length);
    }

    private void keepForLater(Buffer buffer) {
        if (spare == null && buffer.getRecycler() != FreeingBufferRecycler.INSTANCE) {
            spare = buffer;
        } else {
            buffer.recycleBuffer();
        }
    }

    @Override
    public void blockEnds(int subpartition, int length, int flags, int blocksLeft) throws IOException {
        Buffer buffer = current;
        buffer.setSize(length);
        buffer.setDataType(BlockFlags.dataType(flags));
        boolean isCompressed = BlockFlags.isCompressed(flags);
        int backlog = buffer.getDataType().isBlockingUpstream() ? 0 : blocksLeft;
        boolean isForAll = BlockFlags.isBroadcast(flags);
        // A block for all: it came once, and each subpartition of the range has it.
        for (int i = isForAll ? first : last; i < last; i++) {
            // Flink does not slice a buffer that is marked as compressed.
            Buffer slice = buffer.readOnlySlice().retainBuffer();
            slice.setCompressed(isCompressed);
            channel.onBuffer(slice, sequence++, backlog, i);
        }
        buffer.setCompressed(isCompressed);
        // The channel's from here on, even if it fails; what failed before is given back with what is held.
        current = null;
        channel.onBuffer(buffer, sequence++, backlog, isForAll ? last : subpartition);
    }

    @Override
    public boolean usesCredit(int flags) {
        return BlockFlags.isData(flags);
    }

    @Override
    public void backlog(int blocks) throws IOException {
        channel.onSenderBacklog(blocks);
    }

    @Override
    public int takeCredit() {
        return channel.getAndResetUnannouncedCredit();
    }

    @Override
    public void complete(int attributes) throws IOException {
        recycleHeld();
        if (attributes != EndMark.NONE) {
            StopMode mode = EndMark.mode(attributes);
            for (int i = first; i <= last; i++) {
                deliver(new EndOfData(mode), i);
            }
        }
        for (int i = first; i <= last; i++) {
            deliver(EndOfPartitionEvent.INSTANCE, i);
        }
    }

    private void deliver(AbstractEvent event, int subpartition) throws IOException {
        channel.onBuffer(EventSerializer.toBuffer(event, false), sequence++, 0, subpartition);
    }

    /** Flink runs producer and consumers again if, and only if, it gets this exception as it is. */
    @Override
    public void lost(String why) {
        DreyShuffleEnvironment.LOG.warn("Lost {}: {}. Flink produces it again.", descriptor, why);
        recycleHeld();
        channel.onError(new PartitionNotFoundException(descriptor.getResultPartitionID()));
    }

    @Override
    public void failed(Throwable cause) {
        recycleHeld();
        channel.onError(new IOException("cannot read " + descriptor, cause));
    }

    @Override
    public void closed() {
        recycleHeld();
    }

    private void recycleHeld() {
        if (current != null) {
            current.recycleBuffer();
            current = null;
        }
        if (spare != null) {
            spare.recycleBuffer();
            spare = null;
        }
    }

    @Override
    public void notifyCreditAvailable(RemoteInputChannel inputChannel) {
        stream.creditAvailable();
    }

    /** Debloating is for pipelined exchanges: a block is as large as it was written. */
    @Override
    public void notifyNewBufferSize(RemoteInputChannel inputChannel, int bufferSize) {}

    @Override
    public void notifyRequiredSegmentId(RemoteInputChannel inputChannel, int subpartition, int segment) {
        throw new UnsupportedOperationException("only hybrid exchanges have segments");
    }

    @Override
    public void resumeConsumption(RemoteInputChannel inputChannel) {
        throw new UnsupportedOperationException("blocking exchanges take no part in checkpoints");
    }

    /** Producers of blocking exchanges do not wait for their consumers. */
    @Override
    public void acknowledgeAllRecordsProcessed(RemoteInputChannel inputChannel) {}

    @Override
    public void sendTaskEvent(ResultPartitionID partition, TaskEvent event, RemoteInputChannel inputChannel) {
        throw new UnsupportedOperationException("producers of blocking exchanges are finished, and take no events");
    }

    @Override
    public void close(RemoteInputChannel inputChannel) {
        ReadStream open = stream;
        if (open != null) {
            open.close();
        }
    }
}
