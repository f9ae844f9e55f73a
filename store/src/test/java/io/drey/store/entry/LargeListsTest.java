package io.drey.store.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.DreyException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class LargeListsTest {
    private static final byte[] NONE = new byte[0];

    private final LargeLists lists = new LargeLists(LargeLists.BYTES_MAX);

    private static EntryKey key(int number) {
        byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
        return new EntryKey().row(1, 3, key, key.length, NONE, 0);
    }

    /** Nobody tells of lists that expire. */
    @Test
    void listsThatAreGoneDoNotAddUp() {
        int most = 0;
        for (int number = 0; number < 200_000; number++) {
            lists.seen(key(number));
            most = Math.max(most, lists.known());
        }
        assertThat(most).isLessThanOrEqualTo(1 << 16);
    }

    @Test
    void aListThatWasForgottenAndSeenAgainIsStillRefusedWhatIsTooMuch() {
        for (int number = 0; number < 200_000; number++) {
            lists.seen(key(number));
        }
        EntryKey large = key(7);
        lists.seen(large);
        assertThatThrownBy(() -> lists.appending(large, 1, (key, exactly) -> LargeLists.BYTES_MAX))
                .isInstanceOf(DreyException.class)
                .hasMessageContaining("spread it over more keys");
    }
}
