package io.drey.flink.state.list;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Memory;
import io.drey.store.entry.Expiry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;
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

    private int expiredHead(TypeSerializer<?> elements, byte[] bytes) {
        long address = Memory.allocate(Math.max(1, bytes.length));
        try {
            Memory.copy(bytes, 0, address, bytes.length);
            Expiry.Reader reader = expiry(elements).reader();
            reader.lastAccess(address, bytes.length);
            return reader.expiredHead();
        } finally {
            Memory.free(address, Math.max(1, bytes.length));
        }
    }

    @Test
    void elementsAtTheBeginExpireBeforeTheRest() throws IOException {
        TypeSerializer<TtlValue<String>> texts = timed(StringSerializer.INSTANCE);
        TypeSerializer<TtlValue<Long>> numbers = timed(LongSerializer.INSTANCE);
        TtlValue<String> text = new TtlValue<>("old", NOW - 10);
        TtlValue<Long> number = new TtlValue<>(1L, NOW - 10);
        int textBytes = list(texts, List.of(text)).length;
        int numberBytes = list(numbers, List.of(number)).length;
        assertThat(expiredHead(texts, list(texts, List.of(text, text, new TtlValue<>("new", NOW - 9), text))))
                .isEqualTo(2 * textBytes);
        assertThat(expiredHead(numbers, list(numbers, List.of(number, number, new TtlValue<>(2L, NOW - 9), number))))
                .isEqualTo(2 * numberBytes);
        assertThat(expiredHead(texts, list(texts, List.of(new TtlValue<>("new", NOW), text))))
                .isZero();
        assertThat(unreadable).isEmpty();
        // Of what may not expire as a whole nothing does.
        assertThat(expiredHead(texts, list(texts, List.of(text, new TtlValue<>("future", NOW + 1)))))
                .isZero();
        assertThat(expiredHead(texts, Arrays.copyOf(list(texts, List.of(text, text)), textBytes + 12)))
                .isZero();
        assertThat(unreadable).hasSize(1);
    }

    /** As a serializer does that believes the length which it reads. */
    @Test
    void bytesThatAreTakenForAHugeElementAreReported() throws IOException {
        TypeSerializer<TtlValue<byte[]>> bytes = timed(new BytesOfALengthThatIsRead());
        byte[] other = new byte[16];
        Arrays.fill(other, 8, 16, (byte) 0x7f);
        assertThat(lastAccess(bytes, other)).isEqualTo(Expiry.NEVER);
        assertThat(unreadable).singleElement().isInstanceOf(OutOfMemoryError.class);
    }

    private static final class BytesOfALengthThatIsRead extends TypeSerializerSingleton<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isImmutableType() {
            return false;
        }

        @Override
        public byte[] createInstance() {
            return new byte[0];
        }

        @Override
        public byte[] copy(byte[] from) {
            return from.clone();
        }

        @Override
        public byte[] copy(byte[] from, byte[] reuse) {
            return from.clone();
        }

        @Override
        public int getLength() {
            return -1;
        }

        @Override
        public void serialize(byte[] value, DataOutputView target) throws IOException {
            target.writeInt(value.length);
            target.write(value);
        }

        @Override
        public byte[] deserialize(DataInputView source) throws IOException {
            byte[] value = new byte[source.readInt()];
            source.readFully(value);
            return value;
        }

        @Override
        public byte[] deserialize(byte[] reuse, DataInputView source) throws IOException {
            return deserialize(source);
        }

        @Override
        public void copy(DataInputView source, DataOutputView target) throws IOException {
            serialize(deserialize(source), target);
        }

        @Override
        public TypeSerializerSnapshot<byte[]> snapshotConfiguration() {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void timeIsTakenFromTheClock() {
        assertThat(expiry(LongSerializer.INSTANCE).expiredUntil()).isEqualTo(NOW - 10);
    }
}
