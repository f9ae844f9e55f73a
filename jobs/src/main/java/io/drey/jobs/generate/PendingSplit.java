package io.drey.jobs.generate;

import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The split that the enumerator has yet to assign.
 *
 * @param split the split, or null if the reader has it
 */
record PendingSplit(LoadSplit split) {
    /** In a checkpoint: the split, or no bytes. */
    static final class Codec implements SimpleVersionedSerializer<PendingSplit> {
        private final LoadSplitCodec splits = new LoadSplitCodec();

        @Override
        public int getVersion() {
            return splits.getVersion();
        }

        @Override
        public byte[] serialize(PendingSplit pending) {
            return pending.split() == null ? new byte[0] : splits.serialize(pending.split());
        }

        @Override
        public PendingSplit deserialize(int version, byte[] serialized) throws IOException {
            return new PendingSplit(serialized.length == 0 ? null : splits.deserialize(version, serialized));
        }
    }
}
