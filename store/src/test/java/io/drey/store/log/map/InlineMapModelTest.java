package io.drey.store.log.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Bytes;
import io.drey.foundation.Memory;
import io.drey.store.entry.EntryKey;
import io.drey.store.log.record.RecordLayout;
import io.drey.testkit.Effort;
import io.drey.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One record of an inline map through random changes, against a sorted map. */
@Tag(Effort.TAG)
final class InlineMapModelTest {
    private static final int RECORD_BYTES = 4 << 10;
    private static final int OPERATIONS = 400;

    private record Entry(byte flags, byte[] value) {}

    @Test
    void aRecordHoldsWhatWasSetInOrder() {
        Seeds.cases(300, seed -> {
            Case run = new Case(new Random(seed));
            try {
                run.run();
            } finally {
                run.close();
            }
        });
    }

    private static final class Case {
        private final Random random;
        private final TreeMap<byte[], Entry> expected = new TreeMap<>(Arrays::compareUnsigned);
        private final EntryKey key = new EntryKey();
        private final List<byte[]> candidates = new ArrayList<>();
        private final int valueBytesMax;
        private long record;
        private long other;

        Case(Random random) {
            this.random = random;
            valueBytesMax = 1 + random.nextInt(60);
            Bytes name = new Bytes();
            byte[] random20 = bytes(random.nextInt(20));
            name.append(random20, 0, random20.length);
            key.row(1, 2, name, new Bytes());
            record = Memory.allocate(RECORD_BYTES);
            other = Memory.allocate(RECORD_BYTES);
            candidates.add(new byte[0]);
            candidates.add(bytes(InlineMap.KEY_MAX));
            addCollidingKeys();
            while (candidates.size() < 60) {
                candidates.add(bytes(1 + random.nextInt(12)));
            }
            header(record);
            InlineMap.format(record, InlineMap.SLOTS_STEP);
        }

        /** Keys with the tag of the empty one, and with tags that differ from it by the lowest bit. */
        private void addCollidingKeys() {
            byte[] none = {};
            byte wanted = InlineMap.tag(key.mapKey(none, 0, 0));
            int found = 0;
            for (int i = 0; found < 12; i++) {
                byte[] mapKey = {(byte) (i >>> 16), (byte) (i >>> 8), (byte) i};
                int differs = InlineMap.tag(key.mapKey(mapKey, 0, mapKey.length)) ^ wanted;
                if (differs == 0 || (differs == 1 && found > 5)) {
                    candidates.add(mapKey);
                    found++;
                }
            }
        }

        private void header(long address) {
            int rowLength = key.rowLength();
            Memory.fill(address, RECORD_BYTES, (byte) random.nextInt());
            Memory.putInt(address + RecordLayout.LENGTH, RECORD_BYTES / RecordLayout.UNIT);
            Memory.putByte(address + RecordLayout.KIND, RecordLayout.INLINE);
            Memory.putInt(address + RecordLayout.KEY_LENGTH, rowLength);
            Memory.copy(key.body(), 0, address + RecordLayout.ROW_KEY, rowLength);
        }

        private byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        private byte[] mapKey() {
            return candidates.get(random.nextInt(candidates.size()));
        }

        void run() {
            for (int i = 0; i < OPERATIONS; i++) {
                step();
                check();
            }
        }

        private void step() {
            int choice = random.nextInt(100);
            byte[] mapKey = mapKey();
            key.mapKey(mapKey, 0, mapKey.length);
            if (choice < 60) {
                set(mapKey);
            } else if (choice < 80) {
                remove(mapKey);
            } else if (choice < 90) {
                checkAfter(random.nextBoolean() ? mapKey : bytes(random.nextInt(4)));
            } else if (choice < 94) {
                addSlots();
            } else if (choice < 99) {
                appendToAnother();
            } else {
                InlineMap.empty(record);
                expected.clear();
            }
        }

        private void set(byte[] mapKey) {
            Entry before = expected.get(mapKey);
            boolean sameLength = before != null && random.nextBoolean();
            byte[] value = bytes(sameLength ? before.value().length : random.nextInt(valueBytesMax));
            int kind = value.length == 0 && random.nextBoolean() ? InlineMap.TOMBSTONE : 0;
            byte flags = (byte) (kind | random.nextInt(4));
            boolean hasRoom = InlineMap.hasRoom(record, InlineMap.entryBytes(mapKey.length, value.length));
            boolean overwrites = before != null && before.value().length == value.length;
            boolean done = InlineMap.set(record, key, flags, value, 0, value.length);
            assertThat(done).isEqualTo(hasRoom || overwrites);
            if (done) {
                int kept = before == null ? 0 : before.flags() & InlineMap.FLUSHED;
                expected.put(mapKey, new Entry((byte) (flags | kept), value));
            } else if (InlineMap.slotsLacking(record) > 0) {
                addSlots();
            }
        }

        private void remove(byte[] mapKey) {
            int slot = InlineMap.find(record, key);
            assertThat(slot == InlineMap.NONE).isEqualTo(!expected.containsKey(mapKey));
            if (slot != InlineMap.NONE) {
                InlineMap.remove(record, slot);
                expected.remove(mapKey);
            }
        }

        private void checkAfter(byte[] bound) {
            byte[] padded = new byte[bound.length + 3];
            System.arraycopy(bound, 0, padded, 2, bound.length);
            assertThat(InlineMap.firstAfter(record, padded, 2, bound.length))
                    .isEqualTo(expected.headMap(bound, true).size());
        }

        private void addSlots() {
            if (InlineMap.bytesLacking(record, 0, InlineMap.SLOTS_STEP) == 0) {
                InlineMap.addSlots(record, InlineMap.SLOTS_STEP);
            }
        }

        /** Goes on with a copy, which has no dead bytes. */
        private void appendToAnother() {
            int slots = (expected.size() + InlineMap.SLOTS_STEP) / InlineMap.SLOTS_STEP * InlineMap.SLOTS_STEP;
            header(other);
            InlineMap.format(other, slots);
            for (int slot = 0; slot < expected.size(); slot++) {
                byte flags = InlineMap.flags(InlineMap.entry(record, slot));
                InlineMap.append(other, record, slot, flags);
            }
            long copied = other;
            other = record;
            record = copied;
        }

        private void check() {
            assertThat(InlineMap.entries(record)).isEqualTo(expected.size());
            int slot = 0;
            int bytes = 0;
            for (Map.Entry<byte[], Entry> entry : expected.entrySet()) {
                byte[] mapKey = entry.getKey();
                long address = InlineMap.entry(record, slot);
                assertThat(copy(InlineMap.keyAddress(address), InlineMap.keyLength(address)))
                        .isEqualTo(mapKey);
                assertThat(copy(InlineMap.valueAddress(address), InlineMap.valueLength(address)))
                        .isEqualTo(entry.getValue().value());
                assertThat(InlineMap.flags(address)).isEqualTo(entry.getValue().flags());
                assertThat(InlineMap.find(record, key.mapKey(mapKey, 0, mapKey.length)))
                        .isEqualTo(slot);
                bytes += InlineMap.bytes(address);
                slot++;
            }
            assertThat(InlineMap.liveBytes(record)).isEqualTo(bytes);
            byte[] absent = mapKey();
            if (!expected.containsKey(absent)) {
                assertThat(InlineMap.find(record, key.mapKey(absent, 0, absent.length)))
                        .isEqualTo(InlineMap.NONE);
            }
        }

        private static byte[] copy(long address, int length) {
            byte[] copied = new byte[length];
            Memory.copy(address, copied, 0, length);
            return copied;
        }

        void close() {
            Memory.free(record, RECORD_BYTES);
            Memory.free(other, RECORD_BYTES);
        }
    }
}
