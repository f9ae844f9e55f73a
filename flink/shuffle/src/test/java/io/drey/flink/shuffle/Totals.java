package io.drey.flink.shuffle;

import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Counts records and sums a hash of each: results to compare, whatever their order is. */
final class Totals<T> extends RichMapFunction<T, T> {
    private static final long serialVersionUID = 1L;

    private final String name;
    private transient LongCounter count;
    private transient LongCounter sum;

    Totals(String name) {
        this.name = name;
    }

    @Override
    public void open(OpenContext context) {
        count = new LongCounter();
        sum = new LongCounter();
        getRuntimeContext().addAccumulator(name + ".count", count);
        getRuntimeContext().addAccumulator(name + ".sum", sum);
    }

    @Override
    public T map(T value) {
        count.add(1L);
        sum.add(hash(value));
        return value;
    }

    static long hash(Object value) {
        long hash = 1125899906842597L;
        for (byte each : value.toString().getBytes(StandardCharsets.UTF_8)) {
            hash = 31 * hash + each;
        }
        return hash;
    }

    static long count(JobExecutionResult result, String name) {
        return result.<Long>getAccumulatorResult(name + ".count");
    }

    static long sum(JobExecutionResult result, String name) {
        return result.<Long>getAccumulatorResult(name + ".sum");
    }

    static <T> DiscardingSink<T> sink() {
        return new DiscardingSink<>();
    }
}
