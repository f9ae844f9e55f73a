package io.drey.jobs.samplejoin;

import io.drey.jobs.digest.OutputRow;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Collects the messages of a sample in one object; a timer at the end of its window emits and clears it. */
final class SampleFunction extends KeyedProcessFunction<Long, Message, OutputRow> {
    private static final long serialVersionUID = 1L;

    private final long windowMs;
    private transient ValueState<Sample> state;

    SampleFunction(long windowMs) {
        this.windowMs = windowMs;
    }

    @Override
    public void open(OpenContext context) {
        state = getRuntimeContext().getState(new ValueStateDescriptor<>("sample", TypeInformation.of(Sample.class)));
    }

    @Override
    public void processElement(Message message, Context context, Collector<OutputRow> out) throws Exception {
        Sample sample = state.value();
        if (sample == null) {
            if (message.kind != Message.REQUEST) {
                throw new IllegalStateException("Expected the request of sample " + context.getCurrentKey()
                        + " before its other messages, found none at " + context.timestamp()
                        + ": the state backend lost the sample.");
            }
            sample = new Sample();
            context.timerService().registerEventTimeTimer(message.requestedMs + windowMs);
        }
        sample.collect(message);
        state.update(sample);
    }

    @Override
    public void onTimer(long timestampMs, OnTimerContext context, Collector<OutputRow> out) throws Exception {
        Sample sample = state.value();
        if (sample == null) {
            throw new IllegalStateException("The timer of sample " + context.getCurrentKey() + " at " + timestampMs
                    + " found nothing: the state backend lost the sample.");
        }
        out.collect(new OutputRow(timestampMs, sample.digest(context.getCurrentKey())));
        state.clear();
    }
}
