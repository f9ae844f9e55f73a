package io.drey.dist.crash;

import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Numbers in order, each for the next key, so that what state must hold follows from the number: {@link CheckedStates}
 * compares. They end when a file asks for it.
 */
public final class CrashJob {
    /** The name of the accumulator that a finished job has, with the number of keys that were right at the end. */
    public static final String KEYS_CHECKED = "keys checked";

    private CrashJob() {}

    /** Arguments: how many numbers at most, how many keys, numbers a millisecond, the file that asks for the end. */
    public static void main(String[] args) throws Exception {
        long numbers = Long.parseLong(args[0]);
        long keys = Long.parseLong(args[1]);
        int perMillisecond = Integer.parseInt(args[2]);
        InputEnd end = new InputEnd(args[3]);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        DataStream<Long> source = env.fromSequence(0, numbers - 1)
                .uid("numbers")
                .setParallelism(1)
                .flatMap(new Throttle(perMillisecond, end))
                .uid("throttle")
                .setParallelism(1)
                .assignTimestampsAndWatermarks(WatermarkStrategy.<Long>forMonotonousTimestamps()
                        .withTimestampAssigner((number, before) -> number))
                .uid("times")
                .setParallelism(1);
        source.keyBy(number -> number % keys, Types.LONG)
                .process(new CheckedStates(end, keys))
                .returns(Types.LONG)
                .uid("states")
                .keyBy(key -> 0, Types.INT)
                .process(new CheckedKeys(end, keys))
                .returns(Types.LONG)
                .uid("keys")
                .sinkTo(new DiscardingSink<>())
                .uid("nowhere");
        Map<String, Object> results = env.execute("crash").getAllAccumulatorResults();
        System.out.println(KEYS_CHECKED + ": " + results.get(KEYS_CHECKED));
    }
}
