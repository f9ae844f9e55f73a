package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes texts as Avro does records of a class: it reads what was written by the schema of then, but writes, and
 * says so too, by the one that the class has now. The schema is how many bytes stand before a text.
 */
public final class RecordTexts extends Texts {
    /** What the job's class has now. */
    static int schemaNow = 1;

    private static final long serialVersionUID = 1;

    private final int schemaRead;

    RecordTexts() {
        this(schemaNow);
    }

    private RecordTexts(int schemaRead) {
        this.schemaRead = schemaRead;
    }

    @Override
    public void serialize(String text, DataOutputView target) throws IOException {
        serialize(schemaNow, text, target);
    }

    @Override
    public String deserialize(DataInputView source) throws IOException {
        return deserialize(schemaRead, source);
    }

    @Override
    public TypeSerializerSnapshot<String> snapshotConfiguration() {
        Snapshot snapshot = new Snapshot();
        snapshot.schema = schemaNow;
        return snapshot;
    }

    /** Of the schema that values have. */
    public static final class Snapshot implements TypeSerializerSnapshot<String> {
        private int schema;

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
            return new RecordTexts(schema);
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
