package io.drey.jobs.feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The splits that no reader has yet, in a checkpoint: their number, then each. */
final class PendingSplitsCodec implements SimpleVersionedSerializer<List<FeedSplit>> {
    @Override
    public int getVersion() {
        return FeedSplitCodec.VERSION;
    }

    @Override
    public byte[] serialize(List<FeedSplit> splits) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + splits.size() * FeedSplitCodec.BYTES);
        bytes.putInt(splits.size());
        for (FeedSplit split : splits) {
            FeedSplitCodec.put(bytes, split);
        }
        return bytes.array();
    }

    @Override
    public List<FeedSplit> deserialize(int version, byte[] serialized) throws IOException {
        FeedSplitCodec.checkVersion(version);
        ByteBuffer bytes = ByteBuffer.wrap(serialized);
        int count = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
        if (bytes.remaining() != (long) count * FeedSplitCodec.BYTES) {
            throw new IOException("A list of " + count + " source splits has " + serialized.length + " bytes.");
        }
        List<FeedSplit> splits = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            splits.add(FeedSplitCodec.get(bytes));
        }
        return splits;
    }
}
