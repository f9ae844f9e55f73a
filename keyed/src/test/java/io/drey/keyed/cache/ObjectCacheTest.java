package io.drey.keyed.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.foundation.HeapShare;
import io.drey.store.entry.EntryKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {
    private static final int TABLE = 7;

    private final Map<String, Object> below = new HashMap<>();
    private final Below owner = new Below();
    private boolean failing;
    private int sizeBelow = 10;

    private ObjectCache cache(int entries) {
        return cache(entries, new HeapShare(1 << 30));
    }

    private ObjectCache cache(int entries, HeapShare heap) {
        ObjectCache cache = new ObjectCache(entries, () -> 0, heap);
        cache.register(TABLE, owner);
        return cache;
    }

    private final class Below implements ObjectCache.Owner {
        private boolean bypassed;

        @Override
        public int writeBack(EntryKey entry, Object value) throws IOException {
            if (failing) {
                throw new IOException("cannot be written");
            }
            below.put(text(entry), value);
            return sizeBelow;
        }

        @Override
        public boolean isBypassed() {
            return bypassed;
        }
    }

    private static String text(EntryKey entry) {
        return new String(Arrays.copyOf(entry.body(), entry.rowLength()), StandardCharsets.UTF_8).strip();
    }

    private static EntryKey entry(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return new EntryKey().row(TABLE, 3, bytes, bytes.length, new byte[0], 0);
    }

    @Test
    void neverHoldsMoreThanItsEntriesAndLosesNoChange() throws IOException {
        ObjectCache cache = cache(16);
        for (int i = 0; i < 1000; i++) {
            cache.keep(entry("key" + i), null, 0);
            cache.change(cache.find(entry("key" + i)), i, 10);
            assertThat(cache.used()).isLessThanOrEqualTo(16);
        }
        cache.writeBack();
        assertThat(cache.dirty()).isZero();
        assertThat(below).hasSize(1000);
    }

    @Test
    void neverHoldsMoreThanItsBytes() throws IOException {
        ObjectCache cache = cache(64);
        long max = 64L * ObjectCache.BYTES_PER_ENTRY;
        for (int i = 0; i < 1000; i++) {
            cache.keep(entry("key" + i), null, 0);
            cache.change(cache.find(entry("key" + i)), i, (int) max / 20);
            assertThat(cache.bytes()).isLessThanOrEqualTo(max);
        }
        assertThat(cache.used()).isPositive();
        cache.keep(entry("huge"), "huge", (int) max / 2);
        assertThat(cache.find(entry("huge"))).isEqualTo(ObjectCache.NONE);
    }

    @Test
    void valuesThatGrewCountForWhatTheyHaveOnAverage() throws IOException {
        ObjectCache cache = cache(64);
        int max = 64 * ObjectCache.BYTES_PER_ENTRY;
        for (int i = 0; i < 64; i++) {
            cache.keep(entry("key" + i), "small", 1);
        }
        int changed = 0;
        for (int i = 0; i < 64; i++) {
            int slot = cache.find(entry("key" + i));
            if (slot != ObjectCache.NONE) {
                cache.change(slot, "large", max / 20);
                changed++;
            }
            assertThat(cache.bytes()).isLessThanOrEqualTo(max);
        }
        assertThat(changed).isPositive();
    }

    @Test
    void valuesThatTurnOutToBeLargeLeaveWithTheBarrier() throws IOException {
        ObjectCache cache = cache(64);
        int max = 64 * ObjectCache.BYTES_PER_ENTRY;
        for (int i = 0; i < 20; i++) {
            cache.keep(entry("key" + i), "small", 1);
            cache.change(cache.find(entry("key" + i)), "large", 1);
        }
        sizeBelow = max / ObjectCache.VALUE_FRACTION;
        cache.writeBack();
        assertThat(cache.bytes()).isBetween(1L, (long) max);
        assertThat(below).hasSize(20);
    }

    @Test
    void absencesThatFillTheCacheLeaveNoRoomForMoreBytes() throws IOException {
        ObjectCache cache = cache(64);
        for (int i = 0; i < 64; i++) {
            cache.keep(entry("key" + i), null, 0);
        }
        for (int i = 0; i < 64; i++) {
            int slot = cache.find(entry("key" + i));
            if (slot != ObjectCache.NONE) {
                cache.change(slot, i, 64 * ObjectCache.BYTES_PER_ENTRY / 20);
            }
        }
        assertThat(cache.bytes()).isLessThanOrEqualTo(64L * ObjectCache.BYTES_PER_ENTRY);
    }

    @Test
    void aThirdOfTheSlotsIsDirtyAtMost() throws IOException {
        ObjectCache cache = cache(16);
        for (int i = 0; i < 16; i++) {
            cache.keep(entry("key" + i), "old", 10);
            int slot = cache.find(entry("key" + i));
            cache.change(slot, "v" + i, 10);
            assertThat(cache.dirty()).isLessThanOrEqualTo(16 / ObjectCache.DIRTY_FRACTION);
        }
        cache.writeBack();
        for (int i = 0; i < 16; i++) {
            int slot = cache.find(entry("key" + i));
            assertThat(slot == ObjectCache.NONE || cache.value(slot).equals("v" + i))
                    .isTrue();
        }
        assertThat(below).hasSize(16).doesNotContainValue("old");
    }

    @Test
    void aFailedWriteBackKeepsTheValue() throws IOException {
        ObjectCache cache = cache(8);
        cache.keep(entry("first"), null, 0);
        cache.change(cache.find(entry("first")), "v1", 10);
        cache.keep(entry("second"), null, 0);
        cache.change(cache.find(entry("second")), "v2", 10);
        failing = true;
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 100; i++) {
                        cache.keep(entry("other" + i), "x", 1);
                    }
                })
                .hasMessage("cannot be written");
        assertThatThrownBy(cache::writeBack).hasMessage("cannot be written");
        assertThatThrownBy(() -> cache.release(TABLE)).hasMessage("cannot be written");
        failing = false;
        assertThat(cache.dirty()).isEqualTo(2);
        assertThat(cache.value(cache.find(entry("first")))).isEqualTo("v1");
        assertThat(cache.value(cache.find(entry("second")))).isEqualTo("v2");
        cache.release(TABLE);
        assertThat(below).hasSize(2);
        assertThat(cache.used()).isZero();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void whatComesAndGoesAboveAKnownAbsenceIsNeverWritten() throws IOException {
        ObjectCache cache = cache(8);
        cache.keep(entry("key"), null, 0);
        int slot = cache.find(entry("key"));
        cache.change(slot, "value", 10);
        assertThat(cache.isAbsentBelow(slot)).isTrue();
        cache.clear(slot);
        cache.writeBack();
        assertThat(below).isEmpty();
        assertThat(cache.vanished()).isOne();
    }

    @Test
    void aValueIsWrittenAgainAfterAtMostSoManyChanges() throws IOException {
        ObjectCache cache = cache(8);
        cache.keep(entry("key"), "value", 10);
        int slot = cache.find(entry("key"));
        int changes = 0;
        while (!cache.isDue(slot)) {
            cache.change(slot, "value", 10);
            changes++;
        }
        assertThat(changes).isEqualTo(ObjectCache.CHANGES_MAX - 1);
    }

    @Test
    void equalBytesInOtherTablesOrOfOtherLengthAreOtherEntries() throws IOException {
        ObjectCache cache = cache(8);
        cache.register(TABLE + 1, owner);
        cache.keep(entry("key"), "value", 10);
        byte[] key = {'k', 'e', 'y'};
        assertThat(cache.find(new EntryKey().row(TABLE + 1, 3, key, 3, new byte[0], 0)))
                .isEqualTo(ObjectCache.NONE);
        assertThat(cache.find(new EntryKey().row(TABLE, 3, key, 2, new byte[0], 0)))
                .isEqualTo(ObjectCache.NONE);
        assertThat(cache.find(new EntryKey().row(TABLE, 3, key, 3, key, 1))).isEqualTo(ObjectCache.NONE);
        assertThat(cache.find(new EntryKey().row(TABLE, 3, key, 3, new byte[0], 0)))
                .isNotEqualTo(ObjectCache.NONE);
    }

    @Test
    void longAddressesAreNotKept() throws IOException {
        ObjectCache cache = cache(8);
        cache.keep(entry("k".repeat(100)), "value", 10);
        assertThat(cache.used()).isZero();
    }

    @Test
    void tellsOfHowManyTablesNothingIsKept() {
        ObjectCache cache = cache(16);
        cache.register(TABLE + 1, new Below());
        assertThat(cache.tablesBypassed()).isZero();
        owner.bypassed = true;
        assertThat(cache.tablesBypassed()).isEqualTo(1);
    }

    @Test
    void givesUpATableOfWhichItNeverHeldAnything() throws IOException {
        ObjectCache cache = cache(16);
        assertThat(cache.release(TABLE, 0, 8)).isEqualTo(cache.slots());
        cache.release(TABLE);
        assertThat(cache.find(entry("key"))).isEqualTo(ObjectCache.NONE);
    }

    /** A job of many operators has one heap. */
    @Test
    void allCachesTogetherHaveOneShareOfTheHeap() throws IOException {
        HeapShare heap = new HeapShare(8 << 20);
        List<ObjectCache> caches = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            ObjectCache cache = cache(8192, heap);
            caches.add(cache);
            for (int key = 0; key < 10_000; key++) {
                cache.keep(entry("key" + key), key, 500);
            }
        }
        for (ObjectCache cache : caches) {
            // Whoever came early gives up what the others have now.
            cache.writeBack();
            assertThat(cache.used()).isPositive();
        }
        assertThat(caches.get(0).slots()).isEqualTo(8192);
        assertThat(caches.stream().mapToLong(ObjectCache::bytes).sum()).isLessThanOrEqualTo(2 << 20);
        assertThat(caches.stream().mapToLong(ObjectCache::slots).sum()).isLessThan(12 * 8192);
        caches.subList(1, 100).forEach(ObjectCache::close);
        ObjectCache last = caches.get(0);
        for (int key = 0; key < 10_000; key++) {
            last.keep(entry("key" + key), key, 500);
        }
        assertThat(last.bytes()).isGreaterThan(1 << 20);
    }

    @Test
    void aCacheThatHoldsNothingAnyMoreLeavesTheHeapToOthers() throws IOException {
        HeapShare heap = new HeapShare(8 << 10);
        ObjectCache cache = cache(64, heap);
        cache.keep(entry("a"), 1, 100);
        cache.change(cache.find(entry("a")), 2, 100);
        ObjectCache other = cache(64, heap);
        other.keep(entry("b"), 1, 10);
        assertThat(heap.bytes()).isEqualTo(4 << 10);
        cache.release(TABLE);
        assertThat(below).containsValue(2);
        assertThat(heap.bytes()).isEqualTo(8 << 10);
        cache.keep(entry("a"), 3, 10);
        assertThat(cache.value(cache.find(entry("a")))).isEqualTo(3);
        other.close();
        cache.close();
        cache.close();
        assertThat(cache.find(entry("a"))).isEqualTo(ObjectCache.NONE);
        assertThat(heap.bytes()).isEqualTo(8 << 10);
    }
}
