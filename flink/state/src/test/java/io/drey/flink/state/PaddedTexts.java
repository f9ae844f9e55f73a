package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes texts behind as many zeros as the schema says: as a time of a last access they are long gone. */
public class PaddedTexts extends Texts {
    private static final long serialVersionUID = 1;

    private final int schema;

    PaddedTexts(int schema) {
        this.schema = schema;
    }

    @Override
    public void serialize(String text, DataOutputView target) throws IOException {
        serialize(schema, text, target);
    }

    @Override
    public final String deserialize(DataInputView source) throws IOException {
        return deserialize(schema, source);
    }

    @Override
    public TypeSerializerSnapshot<String> snapshotConfiguration() {
        return new Snapshot().of(schema);
    }

    /** Of the schema that values have. */
    public static class Snapshot implements TypeSerializerSnapshot<String> {
        private int schema;

        Snapshot of(int written) {
            schema = written;
            return this;
        }

        int schema() {
            return schema;
        }

        @Override
        public int getCurrentVersion() {
            return 1;
        }

        @Override
        public void writeSnapshot(DataOutputView out) throws IOException {
            out.writeInt(schema);
        }

        @Override
        public void readSnapshot(int readVersion, DataInputView in, ClassLoader userCodeClassLoader)
                throws IOException {
            schema = in.readInt();
        }

        @Override
        public TypeSerializer<String> restoreSerializer() {
            return new PaddedTexts(schema);
        }

        @Override
        public TypeSerializerSchemaCompatibility<String> resolveSchemaCompatibility(
                TypeSerializerSnapshot<String> before) {
            return before instanceof Snapshot snapshot && snapshot.schema == schema
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
        }
    }
}
