package io.drey.flink.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Serializes texts after as many bytes as its version is. Its snapshot knows what to write from the serializer that
 * made it, and has none once it was read, as those of users may: Flink writes none that it has read. Then one of an odd
 * version throws, and one of an even version writes another one.
 */
public final class OnceWrittenTexts extends Texts {
    private static final long serialVersionUID = 1;

    private final int version;

    OnceWrittenTexts(int version) {
        this.version = version;
    }

    @Override
    public void serialize(String text, DataOutputView target) throws IOException {
        serialize(version, text, target);
    }

    @Override
    public String deserialize(DataInputView source) throws IOException {
        return deserialize(version, source);
    }

    @Override
    public TypeSerializerSnapshot<String> snapshotConfiguration() {
        return new Snapshot(this);
    }

    /** Of a serializer with a version. */
    public static final class Snapshot implements TypeSerializerSnapshot<String> {
        private final OnceWrittenTexts serializer;
        private int versionRead;

        /** Flink makes one of it when it reads a checkpoint. */
        public Snapshot() {
            this(null);
        }

        private Snapshot(OnceWrittenTexts serializer) {
            this.serializer = serializer;
        }

        @Override
        public int getCurrentVersion() {
            return 1;
        }

        @Override
        public void writeSnapshot(DataOutputView out) throws IOException {
            boolean isWrong = serializer == null && versionRead % 2 == 0;
            out.writeInt(isWrong ? versionRead + 2 : serializer.version);
        }

        @Override
        public void readSnapshot(int readVersion, DataInputView in, ClassLoader userCodeClassLoader)
                throws IOException {
            versionRead = in.readInt();
        }

        @Override
        public TypeSerializer<String> restoreSerializer() {
            return new OnceWrittenTexts(versionRead);
        }

        private int version() {
            return serializer == null ? versionRead : serializer.version;
        }

        @Override
        public TypeSerializerSchemaCompatibility<String> resolveSchemaCompatibility(
                TypeSerializerSnapshot<String> before) {
            return ((Snapshot) before).version() == version()
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
        }
    }
}
