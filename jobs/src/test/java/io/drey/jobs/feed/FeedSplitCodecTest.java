package io.drey.jobs.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Splits survive a checkpoint, and bytes that are no splits are refused. */
class FeedSplitCodecTest {
    private final FeedSplitCodec codec = new FeedSplitCodec();
    private final PendingSplitsCodec listCodec = new PendingSplitsCodec();
    private final FeedSplit split = new FeedSplit(3, 32, 1_000_000, 1_484_285, 77, 999_999, Long.MAX_VALUE / 3);

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
    void anotherVersionAndCutBytesAreRefused() {
        byte[] one = codec.serialize(split);
        byte[] two = listCodec.serialize(List.of(split, split));
        assertThatThrownBy(() -> codec.deserialize(2, one)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> listCodec.deserialize(0, two)).isInstanceOf(IOException.class);
        for (int length = 0; length < one.length; length++) {
            byte[] cut = Arrays.copyOf(one, length);
            assertThatThrownBy(() -> codec.deserialize(1, cut)).isInstanceOf(IOException.class);
        }
        for (int length = 0; length < two.length; length++) {
            byte[] cut = Arrays.copyOf(two, length);
            assertThatThrownBy(() -> listCodec.deserialize(1, cut)).isInstanceOf(IOException.class);
        }
    }
}
