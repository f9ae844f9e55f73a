package io.drey.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.Arena;
import io.drey.foundation.DreyException;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.EntryView;
import org.junit.jupiter.api.Test;

/** Blocks of entries as large as can be. */
class BlockBuilderTest {
    /** An entry that says that it is so large; its bytes are nowhere. */
    private record HugeEntry(int valueLength) implements EntryCursor {
        @Override
        public boolean next() {
            return false;
        }

        @Override
        public int table() {
            return 1;
        }

        @Override
        public int keyGroup() {
            return 2;
        }

        @Override
        public long rowHash() {
            return 3;
        }

        @Override
        public long bodyAddress() {
            return 0;
        }

        @Override
        public int bodyLength() {
            return 5;
        }

        @Override
        public int rowLength() {
            return 4;
        }

        @Override
        public byte kind() {
            return EntryKind.VALUE;
        }

        @Override
        public long valueAddress() {
            return 0;
        }

        @Override
        public void close() {}
    }

    @Test
    void anEntryThatNoBlockHoldsIsRefusedWithItsSize() {
        try (Arena arena = new Arena(1 << 16, 1 << 12)) {
            BlockBuilder block = new BlockBuilder(arena, new Overdraft(1 << 20));
            EntryView entry = new EntryView().read(new HugeEntry(BlockLayout.RAW_BYTES_MAX));
            assertThatThrownBy(() -> block.addWithoutValue(entry))
                    .isInstanceOf(DreyException.class)
                    .hasMessageMatching(
                            "expected entries of at most 2146435071 bytes, found one of 21464\\d+: split the value");
            assertThat(block.isEmpty()).isTrue();
            block.close();
        }
    }
}
