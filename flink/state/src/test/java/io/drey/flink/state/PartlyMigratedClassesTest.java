package io.drey.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.api.java.typeutils.runtime.PojoSerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A state of a job's own class, which gains or loses fields: one subtask has used it since and so migrated it, another
 * one has not, before a change of parallelism.
 */
class PartlyMigratedClassesTest {
    private static final int MIDDLE = BackendFixture.KEY_GROUPS / 2;
    private static final KeyGroupRange LEFT = new KeyGroupRange(0, MIDDLE - 1);
    private static final KeyGroupRange RIGHT = new KeyGroupRange(MIDDLE, BackendFixture.KEY_GROUPS - 1);
    private static final KeyGroupRange ALL = new KeyGroupRange(0, BackendFixture.KEY_GROUPS - 1);
    private static final int KEYS = 50;
    private static final String SMALL = "public int a; public int c;";
    private static final String LARGE = "public int a; public int b; public int c;";

    @TempDir
    Path directory;

    private final List<URLClassLoader> loaders = new ArrayList<>();
    private BackendFixture fixture;
    private AbstractKeyedStateBackend<String> backend;

    @AfterEach
    void close() throws Exception {
        end();
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }

    private void end() throws Exception {
        if (backend != null) {
            backend.close();
            backend.dispose();
            backend = null;
            fixture.close();
        }
    }

    private URLClassLoader job(String fields) throws Exception {
        URLClassLoader loader = JobClasses.compile(directory.resolve("job" + loaders.size()), fields);
        loaders.add(loader);
        return loader;
    }

    private void open(ClassLoader job, KeyGroupRange keyGroups, KeyedStateHandle... handles) throws Exception {
        end();
        fixture = new BackendFixture(directory, job);
        backend = fixture.open(new DreyStateBackend(), StringSerializer.INSTANCE, keyGroups, List.of(handles));
    }

    @SuppressWarnings("unchecked")
    private ValueState<Object> use(ClassLoader job) throws Exception {
        TypeSerializer<?> serializer =
                TypeExtractor.createTypeInfo(JobClasses.type(job)).createSerializer(new SerializerConfigImpl());
        assertThat(serializer).isInstanceOf(PojoSerializer.class);
        return backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>("visits", (TypeSerializer<Object>) serializer));
    }

    private KeyedStateHandle written(ClassLoader job) throws Exception {
        open(job, ALL);
        ValueState<Object> state = use(job);
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey("k" + i);
            Object value = JobClasses.element(job);
            JobClasses.type(job).getField("a").setInt(value, i);
            JobClasses.type(job).getField("c").setInt(value, -i);
            state.update(value);
        }
        return fixture.fullCheckpoint(backend, 1);
    }

    private KeyedStateHandle used(ClassLoader job, KeyGroupRange keyGroups, KeyedStateHandle before) throws Exception {
        open(job, keyGroups, before);
        use(job);
        return fixture.fullCheckpoint(backend, 2);
    }

    private KeyedStateHandle untouched(ClassLoader job, KeyGroupRange keyGroups, KeyedStateHandle before)
            throws Exception {
        open(job, keyGroups, before);
        return fixture.fullCheckpoint(backend, 2);
    }

    private static KeyGroupRange other(KeyGroupRange half) {
        return half.equals(LEFT) ? RIGHT : LEFT;
    }

    private void assertRefused(String fieldsBefore, String fieldsNow, KeyGroupRange half) throws Exception {
        KeyedStateHandle written = written(job(fieldsBefore));
        ClassLoader now = job(fieldsNow);
        KeyedStateHandle migrated = used(now, half, written);
        KeyedStateHandle untouched = untouched(now, other(half), written);
        assertThatThrownBy(() -> open(now, ALL, untouched, migrated))
                .hasStackTraceContaining("expected state visits to have one schema in all parts of the snapshot");
        open(now, ALL, migrated, used(now, other(half), untouched));
        assertHolds(now, use(now));
    }

    private void assertHolds(ClassLoader job, ValueState<Object> state) throws Exception {
        for (int i = 0; i < KEYS; i++) {
            backend.setCurrentKey("k" + i);
            Object value = state.value();
            assertThat(JobClasses.type(job).getField("a").getInt(value)).isEqualTo(i);
            assertThat(JobClasses.type(job).getField("c").getInt(value)).isEqualTo(-i);
        }
    }

    @Test
    void aFieldThatOneOfThemDoesNotHaveYetIsNotReadAsNothing() throws Exception {
        // The schema of the lowest key groups is what counts.
        assertRefused(SMALL, LARGE, LEFT);
        assertRefused(SMALL, LARGE, RIGHT);
    }

    @Test
    void aFieldThatOneOfThemStillHasIsNotReadAsAnotherOne() throws Exception {
        assertRefused(LARGE, SMALL, LEFT);
        assertRefused(LARGE, SMALL, RIGHT);
    }

    /** Neither says of the other what it is, because both have a field that the class has no more. */
    @Test
    void aClassThatHasChangedAgainIsRestoredIfNobodyHasUsedTheStateSince() throws Exception {
        KeyedStateHandle written = written(job(LARGE));
        ClassLoader now = job(SMALL);
        open(now, ALL, untouched(now, LEFT, written), untouched(now, RIGHT, written));
        assertHolds(now, use(now));
    }

    /** Neither can tell here either, but no value has the length that is expected. */
    @Test
    void aMigrationDoesNotLeaveOutTheEndOfValues() throws Exception {
        KeyedStateHandle written = written(job("public int a; public int c; public int d;"));
        ClassLoader between = job("public int a; public int c; public int d; public int e;");
        KeyedStateHandle migrated = used(between, RIGHT, written);
        KeyedStateHandle untouched = untouched(between, LEFT, written);
        ClassLoader now = job(SMALL);
        open(now, ALL, untouched, migrated);
        assertThatThrownBy(() -> use(now))
                .hasStackTraceContaining("the values of state visits could not be migrated")
                .hasStackTraceContaining("bytes after the end of a value");
    }
}
