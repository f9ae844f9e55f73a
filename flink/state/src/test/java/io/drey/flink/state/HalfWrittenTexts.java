package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Serializes texts, and throws half way through one that begins with {@value #BAD}. */
public final class HalfWrittenTexts extends Texts {
    public static final String BAD = "bad";

    private static final long serialVersionUID = 1;

    @Override
    public void serialize(String text, DataOutputView target) throws IOException {
        if (text.startsWith(BAD)) {
            target.writeInt(text.length());
            throw new IOException("half written: " + text);
        }
        StringSerializer.INSTANCE.serialize(text, target);
    }

    @Override
    public String deserialize(DataInputView source) throws IOException {
        return StringSerializer.INSTANCE.deserialize(source);
    }

    @Override
    public TypeSerializerSnapshot<String> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Of a serializer without configuration. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<String> {
        /** Flink makes one of it when it reads a checkpoint. */
        public Snapshot() {
            super(HalfWrittenTexts::new);
        }
    }
}
