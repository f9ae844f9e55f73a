package io.drey.shuffle.protocol.message;

import io.drey.shuffle.protocol.block.BlockFormat;
import io.drey.shuffle.protocol.frame.Body;
import io.drey.shuffle.protocol.frame.FieldReader;
import io.drey.shuffle.protocol.frame.FieldWriter;

/** The messages of writers. */
public interface Writing {
    /**
     * OPEN: a writer of a partition begins a new file of it.
     *
     * @param subpartitions how many it has: blocks are of 0 to one less
     */
    record Open(PartitionKey key, int subpartitions) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.nested(1, key).number(2, subpartitions);
        }

        public static Open read(FieldReader in) {
            PartitionKey key = null;
            int subpartitions = 0;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> key = PartitionKey.read(in.nested());
                    case 2 -> subpartitions = in.number(1, BlockFormat.SUBPARTITIONS_MAX);
                    default -> {}
                }
            }
            return new Open(in.required(key, "key"), subpartitions);
        }
    }

    /** COMMIT: the partition is complete. Sent to every holder, or, if it is empty, to any worker; may be repeated. */
    record Commit(PartitionKey key, PartitionManifest manifest) implements Body {
        @Override
        public void write(FieldWriter out) {
            out.nested(1, key).nested(2, manifest);
        }

        public static Commit read(FieldReader in) {
            PartitionKey key = null;
            PartitionManifest manifest = null;
            for (int tag = in.next(); tag >= 0; tag = in.next()) {
                switch (tag) {
                    case 1 -> key = PartitionKey.read(in.nested());
                    case 2 -> manifest = PartitionManifest.read(in.nested());
                    default -> {}
                }
            }
            return new Commit(in.required(key, "key"), in.required(manifest, "manifest"));
        }
    }
}
