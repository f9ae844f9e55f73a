package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Whatever serializers of texts have in common, however odd their bytes are. */
abstract class Texts extends TypeSerializerSingleton<String> {
    private static final long serialVersionUID = 1;

    @Override
    public String deserialize(String reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public int getLength() {
        return -1;
    }

    /** Writes a text behind as many bytes as a schema says. */
    static void serialize(int schema, String text, DataOutputView target) throws IOException {
        target.write(new byte[schema]);
        StringSerializer.INSTANCE.serialize(text, target);
    }

    static String deserialize(int schema, DataInputView source) throws IOException {
        source.readFully(new byte[schema]);
        return StringSerializer.INSTANCE.deserialize(source);
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public String createInstance() {
        return "";
    }

    @Override
    public String copy(String from) {
        return from;
    }

    @Override
    public String copy(String from, String reuse) {
        return from;
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }
}
