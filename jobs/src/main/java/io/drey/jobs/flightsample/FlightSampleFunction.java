package io.drey.jobs.flightsample;

import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Collects the messages of a flight in one object; a timer at the end of the flight's window emits and clears it. */
final class FlightSampleFunction extends KeyedProcessFunction<String, FlightMessage, SampleRow> {
    private static final long serialVersionUID = 1L;

    /** From the scheduled departure; longer than the last message of a flight can be late. */
    private static final Duration WINDOW = Duration.ofDays(7);

    private transient ValueState<FlightMessages> state;

    @Override
    public void open(OpenContext context) {
        state = getRuntimeContext().getState(new ValueStateDescriptor<>("sample", FlightMessages.class));
    }

    @Override
    public void processElement(FlightMessage message, Context context, Collector<SampleRow> out) throws Exception {
        FlightMessages sample = state.value();
        if (sample == null) {
            sample = new FlightMessages();
            context.timerService().registerEventTimeTimer(message.scheduledMs + WINDOW.toMillis());
        }
        sample.collect(message);
        state.update(sample);
    }

    @Override
    public void onTimer(long timestampMs, OnTimerContext context, Collector<SampleRow> out) throws Exception {
        FlightMessages sample = state.value();
        if (sample == null) {
            throw new IllegalStateException("The timer of " + context.getCurrentKey() + " at " + timestampMs
                    + " found no sample: the state backend lost it.");
        }
        out.collect(new SampleRow(context.getCurrentKey(), sample));
        state.clear();
    }
}
