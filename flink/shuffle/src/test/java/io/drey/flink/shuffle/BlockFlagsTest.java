package io.drey.flink.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.runtime.io.network.buffer.Buffer.DataType;
import org.junit.jupiter.api.Test;

final class BlockFlagsTest {
    private static final int UNKNOWN = 8;

    @Test
    void aTypeIsWhatItWas() {
        int flags = BlockFlags.of(DataType.EVENT_BUFFER, true, false);
        assertThat(BlockFlags.dataType(flags)).isEqualTo(DataType.EVENT_BUFFER);
        assertThat(BlockFlags.isData(flags)).isFalse();
        assertThat(BlockFlags.isData(BlockFlags.of(DataType.DATA_BUFFER, true, false)))
                .isTrue();
    }

    /** As a block begins, its flags may have been changed on their way: then its checksum is wrong at its end. */
    @Test
    void aBlockOfAnUnknownTypeMayBegin() {
        assertThat(BlockFlags.isData(UNKNOWN)).isFalse();
        assertThat(new RemoteChannelReader(null, null).blockBegins(10, UNKNOWN))
                .matches(memory -> memory.remaining() == 10);
        assertThatThrownBy(() -> BlockFlags.dataType(UNKNOWN)).isInstanceOf(IllegalArgumentException.class);
    }
}
