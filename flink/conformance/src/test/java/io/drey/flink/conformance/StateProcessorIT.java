package io.drey.flink.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.OperatorTransformation;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.api.SavepointWriter;
import org.apache.flink.state.api.StateBootstrapTransformation;
import org.apache.flink.state.api.functions.KeyedStateBootstrapFunction;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flink's State Processor API writes savepoints through the backend under test, reads them, and adds to them. */
class StateProcessorIT {
    private static final long NUMBERS = 3_000;
    private static final long KEYS = 200;
    private static final int MAX_PARALLELISM = 32;

    @TempDir
    Path directory;

    /** The states of a key, the same for those who write and read them. */
    private static final class States {
        private final ValueState<Long> count;
        private final ListState<Long> numbers;
        private final MapState<Long, String> texts;

        States(RuntimeContext context) {
            count = context.getState(new ValueStateDescriptor<>("count", Types.LONG));
            numbers = context.getListState(new ListStateDescriptor<>("numbers", Types.LONG));
            texts = context.getMapState(new MapStateDescriptor<>("texts", Types.LONG, Types.STRING));
        }

        void add(long number) throws Exception {
            count.update(count.value() == null ? 1 : count.value() + 1);
            numbers.add(number);
            texts.put(number, "text " + number);
        }

        String text() throws Exception {
            List<Long> elements = new ArrayList<>();
            numbers.get().forEach(elements::add);
            Map<Long, String> entries = new TreeMap<>();
            for (Map.Entry<Long, String> entry : texts.entries()) {
                entries.put(entry.getKey(), entry.getValue());
            }
            return count.value() + " " + new TreeSet<>(elements) + " " + elements.size() + " " + entries;
        }
    }

    private static final class Writer extends KeyedStateBootstrapFunction<Long, Long> {
        private static final long serialVersionUID = 1L;
        private transient States states;

        @Override
        public void open(OpenContext context) {
            states = new States(getRuntimeContext());
        }

        @Override
        public void processElement(Long number, Context context) throws Exception {
            states.add(number);
            context.timerService().registerEventTimeTimer(number);
        }
    }

    private static final class Reader extends KeyedStateReaderFunction<Long, String> {
        private static final long serialVersionUID = 1L;
        private transient States states;

        @Override
        public void open(OpenContext context) {
            states = new States(getRuntimeContext());
        }

        @Override
        public void readKey(Long key, Context context, Collector<String> out) throws Exception {
            out.collect(key + ": " + states.text() + " timers " + new TreeSet<>(context.registeredEventTimeTimers()));
        }
    }

    private static StreamExecutionEnvironment environment(int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism);
        env.setRuntimeMode(RuntimeExecutionMode.BATCH);
        return env;
    }

    private static StateBackend backend() throws Exception {
        return BackendUnderTest.selected().create();
    }

    private static StateBootstrapTransformation<Long> states(StreamExecutionEnvironment env, long from) {
        DataStream<Long> numbers = env.fromSequence(from, from + NUMBERS - 1);
        return OperatorTransformation.bootstrapWith(numbers)
                .keyBy(number -> number % KEYS, Types.LONG)
                .transform(new Writer());
    }

    private static List<String> read(Path savepoint, String uid, int parallelism) throws Exception {
        DataStream<String> found = SavepointReader.read(
                        environment(parallelism), savepoint.toUri().toString(), backend())
                .readKeyedState(OperatorIdentifier.forUid(uid), new Reader(), Types.LONG, Types.STRING);
        return found.executeAndCollect((int) (2 * KEYS));
    }

    private static List<String> expected(long from) {
        return LongStream.range(0, KEYS)
                .mapToObj(key -> {
                    TreeMap<Long, String> texts = new TreeMap<>();
                    LongStream.range(from, from + NUMBERS)
                            .filter(number -> number % KEYS == key)
                            .forEach(number -> texts.put(number, "text " + number));
                    return key + ": " + texts.size() + " " + texts.keySet() + " " + texts.size() + " " + texts
                            + " timers " + texts.keySet();
                })
                .toList();
    }

    @Test
    void savepointsAreWrittenReadAndAddedTo() throws Exception {
        Path first = directory.resolve("first");
        StreamExecutionEnvironment env = environment(3);
        SavepointWriter.newSavepoint(env, backend(), MAX_PARALLELISM)
                .withOperator(OperatorIdentifier.forUid("a"), states(env, 0))
                .write(first.toUri().toString());
        env.execute();
        assertThat(read(first, "a", 2)).containsExactlyInAnyOrderElementsOf(expected(0));

        Path second = directory.resolve("second");
        env = environment(2);
        SavepointWriter.fromExistingSavepoint(env, first.toUri().toString(), backend())
                .withOperator(OperatorIdentifier.forUid("b"), states(env, NUMBERS))
                .write(second.toUri().toString());
        env.execute();
        assertThat(read(second, "a", 4)).containsExactlyInAnyOrderElementsOf(expected(0));
        assertThat(read(second, "b", 1)).containsExactlyInAnyOrderElementsOf(expected(NUMBERS));
    }
}
