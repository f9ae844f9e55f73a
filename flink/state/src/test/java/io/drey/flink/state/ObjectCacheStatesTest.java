package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.flink.state.options.DreyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongValueSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.types.LongValue;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users, snapshots and clients see of values that may be in the object cache only. */
class ObjectCacheStatesTest {
    private static final TypeSerializer<String> TEXT = StringSerializer.INSTANCE;
    private static final String NAMESPACE = "n";

    @TempDir
    Path directory;

    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;

    @BeforeEach
    void open() throws IOException {
        fixture = new BackendFixture(directory);
        backend = restored();
    }

    private AbstractKeyedStateBackend<String> restored(KeyedStateHandle... handles) throws IOException {
        return fixture.open(new DreyStateBackend(), TEXT, List.of(handles));
    }

    private void end(AbstractKeyedStateBackend<?> ended) throws Exception {
        ended.close();
        ended.dispose();
    }

    private <V> InternalValueState<String, String, V> value(
            AbstractKeyedStateBackend<String> owner, TypeSerializer<V> serializer) throws Exception {
        InternalValueState<String, String, V> state =
                owner.createOrUpdateInternalState(TEXT, new ValueStateDescriptor<>("value", serializer));
        owner.setCurrentKey("key");
        state.setCurrentNamespace(NAMESPACE);
        return state;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void objectsThatChangeOutsideChangeNoState(boolean objectReuse) throws Exception {
        if (objectReuse) {
            fixture.environment.getExecutionConfig().enableObjectReuse();
        }
        InternalValueState<String, String, LongValue> state = value(backend, LongValueSerializer.INSTANCE);
        LongValue object = new LongValue(1);
        for (int i = 0; i < 3; i++) {
            object.setValue(i);
            state.update(object);
            object.setValue(-1);
            LongValue read = state.value();
            assertThat(read.getValue()).isEqualTo(i);
            read.setValue(-2);
            assertThat(state.value().getValue()).isEqualTo(i);
        }
        KeyedStateHandle handle = fixture.checkpoint(backend, 1);
        assertThat(state.value().getValue()).isEqualTo(2);
        end(backend);
        backend = restored(handle);
        LongValue read = value(backend, LongValueSerializer.INSTANCE).value();
        assertThat(read.getValue()).isEqualTo(2);
        end(backend);
    }

    @Test
    void reducingKeepsNeitherWhatWasAddedNorWhatItReturned() throws Exception {
        InternalReducingState<String, String, LongValue> state = backend.createOrUpdateInternalState(
                TEXT,
                new ReducingStateDescriptor<>(
                        "sum",
                        (left, right) -> {
                            right.setValue(left.getValue() + right.getValue());
                            return right;
                        },
                        LongValueSerializer.INSTANCE));
        backend.setCurrentKey("key");
        state.setCurrentNamespace(NAMESPACE);
        LongValue reused = new LongValue();
        for (int i = 1; i <= 4; i++) {
            reused.setValue(i);
            state.add(reused);
        }
        reused.setValue(-1);
        assertThat(state.get().getValue()).isEqualTo(10);
        state.get().setValue(-2);
        assertThat(state.get().getValue()).isEqualTo(10);
        end(backend);
    }

    @Test
    void snapshotsHoldWhatWasUpdatedBeforeThem() throws Exception {
        InternalValueState<String, String, String> state = value(backend, TEXT);
        updateTwice(state, "first");
        KeyedStateHandle checkpoint = fixture.checkpoint(backend, 1);
        updateTwice(state, "second");
        KeyedStateHandle savepoint = fixture.canonicalSavepoint(backend, 2);
        updateTwice(state, "third");
        end(backend);
        AbstractKeyedStateBackend<String> first = restored(checkpoint);
        assertThat(value(first, TEXT).value()).isEqualTo("first");
        end(first);
        AbstractKeyedStateBackend<String> second = restored(savepoint);
        assertThat(value(second, TEXT).value()).isEqualTo("second");
        end(second);
    }

    /** The first update of a value may be written at once, the second is not. */
    private static void updateTwice(InternalValueState<String, String, String> state, String text) throws Exception {
        state.update("not this");
        state.update(text);
    }

    @Test
    void keysAreFoundWhoseValuesWereNotWrittenYet() throws Exception {
        InternalValueState<String, String, String> state = value(backend, TEXT);
        state.update("known size");
        backend.setCurrentKey("other");
        assertThat(state.value()).isNull();
        state.update("value");
        try (var keys = backend.getKeys("value", NAMESPACE)) {
            assertThat(keys).containsExactlyInAnyOrder("key", "other");
        }
        backend.setCurrentKey("another");
        assertThat(state.value()).isNull();
        state.update("value");
        assertThat(backend.numKeyValueStateEntries()).isEqualTo(3);
        backend.setCurrentKey("fourth");
        assertThat(state.value()).isNull();
        state.update("value");
        try (var keys = backend.getKeysAndNamespaces("value")) {
            assertThat(keys).hasSize(4);
        }
        end(backend);
    }

    @Test
    void whatCameAndWentLeavesNothing() throws Exception {
        InternalValueState<String, String, String> state = value(backend, TEXT);
        state.update("known size");
        for (int i = 0; i < 100; i++) {
            backend.setCurrentKey("key" + i);
            assertThat(state.value()).isNull();
            state.update("value");
            state.clear();
            assertThat(state.value()).isNull();
        }
        assertThat(backend.numKeyValueStateEntries()).isOne();
        end(backend);
    }

    @Test
    void clientsOfQueryableStateSeeTheLastUpdate() throws Exception {
        InternalValueState<String, String, String> state = value(backend, TEXT);
        updateTwice(state, "last");
        byte[] address = KvStateSerializer.serializeKeyAndNamespace("key", TEXT, NAMESPACE, TEXT);
        byte[] answer = state.getSerializedValue(address, TEXT, TEXT, TEXT);
        assertThat(KvStateSerializer.deserializeValue(answer, TEXT)).isEqualTo("last");
        state.clear();
        assertThat(state.getSerializedValue(address, TEXT, TEXT, TEXT)).isNull();
        end(backend);
    }

    @Test
    void registeringAStateAgainKeepsItsValues() throws Exception {
        ValueStateDescriptor<String> descriptor = new ValueStateDescriptor<>("value", TEXT);
        for (int i = 0; i < 3; i++) {
            InternalValueState<String, String, String> state = backend.createOrUpdateInternalState(
                    TEXT, descriptor, StateSnapshotTransformFactory.noTransform(), true);
            backend.setCurrentKey("key");
            state.setCurrentNamespace(NAMESPACE);
            assertThat(state.value()).isEqualTo(i == 0 ? null : "kept");
            updateTwice(state, "kept");
        }
        end(backend);
    }

    @Test
    void aValueThatCannotBeSerializedFailsTheCheckpointAndIsNamed() throws Exception {
        InternalValueState<String, String, LongValue> state = value(backend, new Moody(true));
        state.update(new LongValue(1));
        LongValue bad = new LongValue(Moody.BAD);
        state.update(bad);
        assertThatThrownBy(() -> fixture.checkpoint(backend, 1))
                .satisfies(e -> assertThat(ExceptionUtils.stringifyException(e))
                        .contains("a value of state value", "bad mood"));
        assertThat(state.value().getValue()).isEqualTo(Moody.BAD);
        state.update(new LongValue(2));
        KeyedStateHandle handle = fixture.checkpoint(backend, 2);
        end(backend);
        backend = restored(handle);
        assertThat(value(backend, new Moody(true)).value().getValue()).isEqualTo(2);
        end(backend);
    }

    @Test
    void aSerializerThatDoesNotCopyIsNotTrusted() throws Exception {
        InternalValueState<String, String, LongValue> state = value(backend, new Moody(false));
        LongValue object = new LongValue(1);
        state.update(object);
        object.setValue(-1);
        LongValue read = state.value();
        assertThat(read.getValue()).isEqualTo(1);
        read.setValue(-2);
        assertThat(state.value().getValue()).isEqualTo(1);
        end(backend);
    }

    @Test
    void withoutObjectCacheStateIsTheSame() throws Exception {
        end(backend);
        Configuration config = new Configuration();
        config.set(DreyOptions.OBJECT_CACHE_ENTRIES, 0);
        backend =
                fixture.open(new DreyStateBackend().configure(config, getClass().getClassLoader()), TEXT, List.of());
        InternalValueState<String, String, String> state = value(backend, TEXT);
        updateTwice(state, "value");
        assertThat(state.value()).isEqualTo("value");
        state.clear();
        assertThat(state.value()).isNull();
        end(backend);
    }

    /** Copies or does not, and refuses one number. */
    static class Moody extends TypeSerializerSingleton<LongValue> {
        private static final long serialVersionUID = 1L;
        static final long BAD = 666;

        private final boolean copies;

        Moody(boolean copies) {
            this.copies = copies;
        }

        @Override
        public boolean isImmutableType() {
            return false;
        }

        @Override
        public LongValue createInstance() {
            return new LongValue();
        }

        @Override
        public LongValue copy(LongValue from) {
            return copies ? new LongValue(from.getValue()) : from;
        }

        @Override
        public LongValue copy(LongValue from, LongValue reuse) {
            return copy(from);
        }

        @Override
        public int getLength() {
            return Long.BYTES;
        }

        @Override
        public void serialize(LongValue value, DataOutputView target) throws IOException {
            if (value.getValue() == BAD) {
                throw new IOException("bad mood");
            }
            target.writeLong(value.getValue());
        }

        @Override
        public LongValue deserialize(DataInputView source) throws IOException {
            return new LongValue(source.readLong());
        }

        @Override
        public LongValue deserialize(LongValue reuse, DataInputView source) throws IOException {
            return deserialize(source);
        }

        @Override
        public void copy(DataInputView source, DataOutputView target) throws IOException {
            target.writeLong(source.readLong());
        }

        @Override
        public TypeSerializerSnapshot<LongValue> snapshotConfiguration() {
            return new MoodySnapshot();
        }
    }

    public static final class MoodySnapshot extends SimpleTypeSerializerSnapshot<LongValue> {
        public MoodySnapshot() {
            super(() -> new Moody(true));
        }
    }

    /** Of numbers that take as many bytes as they say; counts those that are large. */
    static final class Sized extends Moody {
        private static final long serialVersionUID = 1L;
        private static final int LARGE = 1 << 20;
        private static int largeWritten;

        Sized() {
            super(true);
        }

        @Override
        public int getLength() {
            return -1;
        }

        @Override
        public void serialize(LongValue value, DataOutputView target) throws IOException {
            largeWritten += value.getValue() >= LARGE ? 1 : 0;
            super.serialize(value, target);
            target.write(new byte[(int) value.getValue()]);
        }

        @Override
        public LongValue deserialize(DataInputView source) throws IOException {
            LongValue value = super.deserialize(source);
            source.skipBytesToRead((int) value.getValue());
            return value;
        }
    }

    /** Their objects are on the heap, where nobody makes room for them. */
    @Test
    void valuesThatBecameLargeAreNotKeptBecauseTheyWereSmall() throws Exception {
        InternalValueState<String, String, LongValue> state = value(backend, new Sized());
        for (long size : new long[] {1, 1, Sized.LARGE}) {
            for (int key = 0; key < 300; key++) {
                backend.setCurrentKey("key" + key);
                state.update(new LongValue(size));
            }
        }
        assertThat(Sized.largeWritten).isGreaterThan(200);
        backend.setCurrentKey("key7");
        assertThat(state.value().getValue()).isEqualTo(Sized.LARGE);
        end(backend);
    }
}
