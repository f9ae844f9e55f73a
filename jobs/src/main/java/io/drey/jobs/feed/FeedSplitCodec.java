package io.drey.jobs.feed;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A split in a checkpoint: six ints and a long, big endian. */
final class FeedSplitCodec implements SimpleVersionedSerializer<FeedSplit> {
    static final int VERSION = 1;
    static final int BYTES = 6 * Integer.BYTES + Long.BYTES;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(FeedSplit split) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        put(bytes, split);
        return bytes.array();
    }

    @Override
    public FeedSplit deserialize(int version, byte[] bytes) throws IOException {
        checkVersion(version);
        if (bytes.length != BYTES) {
            throw new IOException("A source split has " + bytes.length + " bytes, expected " + BYTES + ".");
        }
        return get(ByteBuffer.wrap(bytes));
    }

    static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException("Source splits of version " + version + " cannot be read, expected " + VERSION + ".");
        }
    }

    static void put(ByteBuffer bytes, FeedSplit split) {
        bytes.putInt(split.index()).putInt(split.count()).putInt(split.repeat()).putInt(split.feedSize());
        bytes.putInt(split.position()).putInt(split.replica()).putLong(split.emitted());
    }

    static FeedSplit get(ByteBuffer bytes) throws IOException {
        try {
            return new FeedSplit(
                    bytes.getInt(),
                    bytes.getInt(),
                    bytes.getInt(),
                    bytes.getInt(),
                    bytes.getInt(),
                    bytes.getInt(),
                    bytes.getLong());
        } catch (BufferUnderflowException e) {
            throw new IOException("A source split is cut short.", e);
        }
    }
}
