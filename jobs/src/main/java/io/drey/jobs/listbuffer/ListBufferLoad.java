package io.drey.jobs.listbuffer;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.digest.StatelessFunction;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.tally.Digest;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;

/** The job from its source to its rows: one {@code ListState<BufferedElement>} and one timer per key. */
public final class ListBufferLoad {
    private static final TypeInformation<BufferedElement> EVENTS = TypeInformation.of(BufferedElement.class);
    private static final String NAME = "list-buffer";

    private ListBufferLoad() {}

    /** After so many events every key has ended a window. */
    public static long fillEvents(LoadSettings settings) {
        return ElementGenerator.windowMs(settings);
    }

    /** The rows: one for each window of a key with elements. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        KeyedProcessFunction<Long, BufferedElement, OutputRow> function = settings.stateless()
                ? new StatelessFunction<>(ListBufferLoad::digest)
                : new BufferFunction(ElementGenerator.windowMs(settings));
        return GeneratedInput.attach(env, settings, new ElementGenerator(settings), EVENTS)
                .keyBy(element -> element.key, Types.LONG)
                .process(function, OutputRow.TYPE)
                .name(NAME)
                .uid(NAME);
    }

    private static long digest(BufferedElement element) {
        long hash = Digest.number(Digest.number(Digest.START, element.key), element.happenedMs);
        return Digest.end(Digest.number(hash, element.value));
    }
}
