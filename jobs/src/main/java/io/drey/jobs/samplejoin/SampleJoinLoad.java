package io.drey.jobs.samplejoin;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.digest.StatelessFunction;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.generate.Payload;
import io.drey.jobs.tally.Digest;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;

/**
 * The job from its source to its rows: one {@code ValueState<Sample>} and one timer per key. The three streams come
 * united from the source, so that the messages of a sample have one order.
 */
public final class SampleJoinLoad {
    private static final TypeInformation<Message> EVENTS = TypeInformation.of(Message.class);
    private static final String NAME = "sample-join";

    private SampleJoinLoad() {}

    /** After so many events as many samples are open, of all ages. */
    public static long fillEvents(LoadSettings settings) {
        return settings.alive();
    }

    /** The rows: one for each sample. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        KeyedProcessFunction<Long, Message, OutputRow> function = settings.stateless()
                ? new StatelessFunction<>(SampleJoinLoad::digest)
                : new SampleFunction(MessageGenerator.windowMs(settings));
        return GeneratedInput.attach(env, settings, new MessageGenerator(settings), EVENTS)
                .keyBy(message -> message.sample, Types.LONG)
                .process(function, OutputRow.TYPE)
                .name(NAME)
                .uid(NAME);
    }

    private static long digest(Message message) {
        long hash = Digest.number(Digest.number(Digest.START, message.sample), (long) message.kind);
        return Digest.end(Digest.number(hash, Payload.digest(message.content)));
    }
}
