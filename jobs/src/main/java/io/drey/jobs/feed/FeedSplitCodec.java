package io.drey.jobs.feed;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Splits in a checkpoint, big endian: their number, then of each the run's text, three ints, a long, an int, a long. */
final class FeedSplitCodec implements SimpleVersionedSerializer<List<FeedSplit>> {
    private static final int VERSION = 2;

    /** One split, as a list of one. */
    static SimpleVersionedSerializer<FeedSplit> ofOne() {
        FeedSplitCodec lists = new FeedSplitCodec();
        return new SimpleVersionedSerializer<>() {
            @Override
            public int getVersion() {
                return VERSION;
            }

            @Override
            public byte[] serialize(FeedSplit split) throws IOException {
                return lists.serialize(List.of(split));
            }

            @Override
            public FeedSplit deserialize(int version, byte[] bytes) throws IOException {
                List<FeedSplit> splits = lists.deserialize(version, bytes);
                if (splits.size() != 1) {
                    throw new IOException("Expected one source split, found " + splits.size() + ".");
                }
                return splits.get(0);
            }
        };
    }

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(List<FeedSplit> splits) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(splits.size());
        for (FeedSplit split : splits) {
            out.writeUTF(split.run());
            out.writeInt(split.index());
            out.writeInt(split.count());
            out.writeInt(split.repeat());
            out.writeLong(split.position());
            out.writeInt(split.replica());
            out.writeLong(split.emitted());
        }
        return bytes.toByteArray();
    }

    @Override
    public List<FeedSplit> deserialize(int version, byte[] bytes) throws IOException {
        if (version != VERSION) {
            throw new IOException("Source splits of version " + version + " cannot be read, expected " + VERSION + ".");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int count = in.readInt();
        List<FeedSplit> splits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            splits.add(new FeedSplit(
                    in.readUTF(),
                    in.readInt(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong(),
                    in.readInt(),
                    in.readLong()));
        }
        if (in.available() > 0) {
            throw new IOException("Expected " + count + " source splits, found " + in.available() + " bytes more.");
        }
        return splits;
    }
}
