package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes texts as Avro does records of a class: it reads what was written by the schema of then, but writes, and
 * says so too, by the one that the class has now. The schema is how many bytes stand before a text.
 */
public final class RecordTexts extends PaddedTexts {
    /** What the job's class has now. */
    static int schemaNow = 1;

    private static final long serialVersionUID = 1;

    RecordTexts() {
        this(schemaNow);
    }

    private RecordTexts(int schemaRead) {
        super(schemaRead);
    }

    @Override
    public void serialize(String text, DataOutputView target) throws IOException {
        serialize(schemaNow, text, target);
    }

    @Override
    public TypeSerializerSnapshot<String> snapshotConfiguration() {
        return new Snapshot().of(schemaNow);
    }

    /** Of the schema that values have. */
    public static final class Snapshot extends PaddedTexts.Snapshot {
        @Override
        public TypeSerializer<String> restoreSerializer() {
            return new RecordTexts(schema());
        }
    }
}
