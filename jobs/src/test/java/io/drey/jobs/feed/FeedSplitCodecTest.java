package io.drey.jobs.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.junit.jupiter.api.Test;

/** Splits survive a checkpoint, and bytes that are no splits are refused. */
class FeedSplitCodecTest {
    private final SimpleVersionedSerializer<FeedSplit> codec = FeedSplitCodec.ofOne();
    private final FeedSplitCodec listCodec = new FeedSplitCodec();
    private final FeedSplit split =
            new FeedSplit("--repeat 1000000 over 9 events", 3, 32, 1_000_000, 1L << 40, 999_999, Long.MAX_VALUE / 3);

    @Test
    void aSplitIsReadAsItWasWritten() throws IOException {
        assertThat(codec.deserialize(codec.getVersion(), codec.serialize(split)))
                .isEqualTo(split);
    }

    @Test
    void aListIsReadAsItWasWritten() throws IOException {
        for (List<FeedSplit> list : List.of(List.<FeedSplit>of(), List.of(split), List.of(split, split))) {
            assertThat(listCodec.deserialize(listCodec.getVersion(), listCodec.serialize(list)))
                    .isEqualTo(list);
        }
    }

    @Test
    void anotherVersionOrNumberAndCutOrFurtherBytesAreRefused() throws IOException {
        byte[] one = codec.serialize(split);
        byte[] two = listCodec.serialize(List.of(split, split));
        assertThatThrownBy(() -> codec.deserialize(1, one))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 1");
        assertThatThrownBy(() -> listCodec.deserialize(0, two)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> codec.deserialize(2, two)).hasMessageContaining("found 2");
        for (int length = 0; length < two.length; length++) {
            byte[] cut = Arrays.copyOf(two, length);
            assertThatThrownBy(() -> listCodec.deserialize(2, cut)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> codec.deserialize(2, cut)).isInstanceOf(IOException.class);
        }
        byte[] longer = Arrays.copyOf(one, one.length + 1);
        assertThatThrownBy(() -> codec.deserialize(2, longer)).hasMessageContaining("1 bytes more");
    }
}
