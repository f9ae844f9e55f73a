package io.drey.flink.state.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.HalfWrittenTexts;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.base.LongValueSerializer;
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
        CurrentKey<String> key = new CurrentKey<>(new HalfWrittenTexts());
        key.set("good", 0);
        byte[] good = bytes(key);
        assertThatThrownBy(() -> key.set("bad", 0))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("the key could not be serialized");
        assertThatThrownBy(key::bytes).isInstanceOf(NullPointerException.class).hasMessageContaining("No key set");
        key.set("good", 0);
        assertThat(bytes(key)).isEqualTo(good);
    }

    @Test
    void withoutAKeyThereAreNoBytes() {
        assertThatThrownBy(new CurrentKey<>(LongValueSerializer.INSTANCE)::bytes)
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("No key set");
    }
}
