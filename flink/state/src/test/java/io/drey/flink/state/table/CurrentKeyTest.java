package io.drey.flink.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongValueSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.LongValue;
import org.junit.jupiter.api.Test;

class CurrentKeyTest {
    private static byte[] bytes(CurrentKey<?> key) {
        return Arrays.copyOf(key.bytes(), key.length());
    }

    @Test
    void aKeyThatItsOwnerChangesAfterwardsStaysWhatItWas() {
        CurrentKey<LongValue> key = new CurrentKey<>(LongValueSerializer.INSTANCE);
        LongValue reused = new LongValue(7);
        key.set(reused, 0);
        reused.setValue(8);
        assertThat(bytes(key)).containsExactly(0, 0, 0, 0, 0, 0, 0, 7);
        key.set(reused, 0);
        assertThat(bytes(key)).containsExactly(0, 0, 0, 0, 0, 0, 0, 8);
    }

    @Test
    void aKeyThatCannotBeSerializedIsNobodysKey() {
        CurrentKey<String> key = new CurrentKey<>(new HalfWritten());
        key.set("good", 0);
        assertThat(bytes(key)).containsExactly(4);
        assertThatThrownBy(() -> key.set("bad", 0))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("the key could not be serialized");
        assertThatThrownBy(key::bytes).isInstanceOf(NullPointerException.class).hasMessageContaining("No key set");
        key.set("better", 0);
        assertThat(bytes(key)).containsExactly(6);
    }

    @Test
    void withoutAKeyThereAreNoBytes() {
        assertThatThrownBy(new CurrentKey<>(LongValueSerializer.INSTANCE)::bytes)
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("No key set");
    }

    /** Writes the length of a text, and of some texts that only. */
    private static final class HalfWritten extends TypeSerializerSingleton<String> {
        private static final long serialVersionUID = 1;

        @Override
        public void serialize(String text, DataOutputView target) throws IOException {
            target.write(text.length());
            if (text.equals("bad")) {
                throw new IOException("half written");
            }
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
        public int getLength() {
            return 1;
        }

        @Override
        public String deserialize(DataInputView source) throws IOException {
            return "x".repeat(source.readByte());
        }

        @Override
        public String deserialize(String reuse, DataInputView source) throws IOException {
            return deserialize(source);
        }

        @Override
        public void copy(DataInputView source, DataOutputView target) throws IOException {
            target.write(source.readByte());
        }

        @Override
        public TypeSerializerSnapshot<String> snapshotConfiguration() {
            throw new UnsupportedOperationException("this serializer is of one test only");
        }
    }
}
