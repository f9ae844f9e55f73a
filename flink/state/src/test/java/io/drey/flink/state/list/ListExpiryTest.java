package io.drey.flink.state.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Memory;
import io.drey.store.entry.Expiry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializer;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.junit.jupiter.api.Test;

class ListExpiryTest {
    private static final long NOW = 1_000_000;

    private static <T> byte[] list(TypeSerializer<T> serializer, List<T> elements) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        ListLayout.writeAll(elements, serializer, out);
        return out.getCopyOfBuffer();
    }

    private static <T> TypeSerializer<TtlValue<T>> timed(TypeSerializer<T> serializer) {
        return new TtlSerializer<>(LongSerializer.INSTANCE, serializer);
    }

    private final List<Throwable> unreadable = new ArrayList<>();

    private ListExpiry expiry(TypeSerializer<?> elements) {
        return new ListExpiry(elements, 10, () -> NOW, ListExpiryTest.class.getClassLoader(), unreadable::add);
    }

    private long lastAccess(TypeSerializer<?> elements, byte[] bytes) {
        long address = Memory.allocate(Math.max(1, bytes.length));
        try {
            Memory.copy(bytes, 0, address, bytes.length);
            return expiry(elements).reader().lastAccess(address, bytes.length);
        } finally {
            Memory.free(address, Math.max(1, bytes.length));
        }
    }

    @Test
    void theLatestElementCounts() throws IOException {
        TypeSerializer<TtlValue<Long>> numbers = timed(LongSerializer.INSTANCE);
        assertThat(lastAccess(
                        numbers,
                        list(numbers, List.of(new TtlValue<>(1L, 5), new TtlValue<>(2L, 99), new TtlValue<>(3L, 7)))))
                .isEqualTo(99);
        TypeSerializer<TtlValue<String>> texts = timed(StringSerializer.INSTANCE);
        assertThat(lastAccess(
                        texts, list(texts, List.of(new TtlValue<>("", 5), new TtlValue<>("a, ".repeat(1000), NOW)))))
                .isEqualTo(NOW);
        TypeSerializer<TtlValue<byte[]>> bytes = timed(BytePrimitiveArraySerializer.INSTANCE);
        assertThat(lastAccess(bytes, list(bytes, List.of(new TtlValue<>(new byte[70_000], 5)))))
                .isEqualTo(5);
        assertThat(unreadable).isEmpty();
    }

    @Test
    void bytesOfAnotherFormatDoNotExpireAndAreReported() throws IOException {
        byte[] untimedTexts = list(StringSerializer.INSTANCE, List.of("first", "second"));
        assertThat(lastAccess(timed(StringSerializer.INSTANCE), untimedTexts)).isEqualTo(Expiry.NEVER);
        byte[] untimedNumbers = list(LongSerializer.INSTANCE, List.of(1L, 2L, 3L));
        assertThat(lastAccess(timed(LongSerializer.INSTANCE), untimedNumbers)).isEqualTo(Expiry.NEVER);
        byte[] untimedBytes = list(BytePrimitiveArraySerializer.INSTANCE, List.of(new byte[] {-1, -1, -1, -1, -1}));
        assertThat(lastAccess(timed(BytePrimitiveArraySerializer.INSTANCE), untimedBytes))
                .isEqualTo(Expiry.NEVER);
        assertThat(lastAccess(timed(StringSerializer.INSTANCE), new byte[0])).isEqualTo(Expiry.NEVER);
        assertThat(unreadable).hasSize(4);
    }

    @Test
    void cutListsAndThoseOfTheFutureDoNotExpire() throws IOException {
        TypeSerializer<TtlValue<String>> texts = timed(StringSerializer.INSTANCE);
        byte[] whole = list(texts, List.of(new TtlValue<>("some text", 5)));
        for (int length = 0; length < whole.length; length++) {
            assertThat(lastAccess(texts, Arrays.copyOf(whole, length))).isEqualTo(Expiry.NEVER);
        }
        assertThat(unreadable).hasSize(whole.length);
        assertThat(lastAccess(texts, list(texts, List.of(new TtlValue<>("", NOW + 1)))))
                .isEqualTo(Expiry.NEVER);
    }

    @Test
    void timeIsTakenFromTheClock() {
        assertThat(expiry(LongSerializer.INSTANCE).expiredUntil()).isEqualTo(NOW - 10);
    }
}
