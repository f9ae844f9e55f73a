package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes texts as nobody should: says that all of them take {@value #LENGTH} bytes, which none does, changes the
 * format with every text, and does not read to the end what begins with {@value #SHORT_READ}.
 */
public final class OddTexts extends Texts {
    /** The length of each text, as it says. */
    public static final int LENGTH = 4;

    /** The last byte of such a text is written and not read. */
    public static final String SHORT_READ = "short";

    private static final long serialVersionUID = 1;
    private static final int PLAIN = 0;
    private static final int TWICE = 1;

    private transient int written;

    @Override
    public void serialize(String text, DataOutputView target) throws IOException {
        int format = written++ % 2;
        target.writeByte(format);
        StringSerializer.INSTANCE.serialize(text, target);
        if (format == TWICE) {
            StringSerializer.INSTANCE.serialize(text, target);
        }
        if (text.startsWith(SHORT_READ)) {
            target.writeByte(0);
        }
    }

    @Override
    public String deserialize(DataInputView source) throws IOException {
        int format = source.readByte();
        if (format != PLAIN && format != TWICE) {
            throw new IOException("expected a text of one of two formats, found " + format);
        }
        String text = StringSerializer.INSTANCE.deserialize(source);
        if (format == TWICE) {
            text = StringSerializer.INSTANCE.deserialize(source);
        }
        return text;
    }

    @Override
    public int getLength() {
        return LENGTH;
    }

    @Override
    public TypeSerializerSnapshot<String> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Of a serializer without configuration. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<String> {
        /** Flink makes one of it when it reads a checkpoint. */
        public Snapshot() {
            super(OddTexts::new);
        }
    }
}
