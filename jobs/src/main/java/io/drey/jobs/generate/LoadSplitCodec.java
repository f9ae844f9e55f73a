package io.drey.jobs.generate;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A split in a checkpoint: two longs, big endian; nothing at all for none. */
final class LoadSplitCodec implements SimpleVersionedSerializer<LoadSplit> {
    private static final int VERSION = 1;
    private static final int BYTES = 2 * Long.BYTES;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(LoadSplit split) {
        return ByteBuffer.allocate(BYTES)
                .putLong(split.fingerprint())
                .putLong(split.position())
                .array();
    }

    @Override
    public LoadSplit deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION || serialized.length != BYTES) {
            throw new IOException("Expected a split of version " + VERSION + " and " + BYTES + " bytes, found version "
                    + version + " and " + serialized.length + " bytes.");
        }
        ByteBuffer bytes = ByteBuffer.wrap(serialized);
        return new LoadSplit(bytes.getLong(), bytes.getLong());
    }
}
