package io.drey.jobs.listbuffer;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.generate.EventTime;
import io.drey.jobs.tally.Digest;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Appends each element without reading; a timer at the end of the key's window reads the list, emits and clears it.
 * Each key's windows have a phase of their own, so that timers are due evenly.
 */
final class BufferFunction extends KeyedProcessFunction<Long, BufferedElement, OutputRow> {
    private static final long serialVersionUID = 1L;

    private final long windowMs;
    private transient ListState<BufferedElement> buffer;

    BufferFunction(long windowMs) {
        this.windowMs = windowMs;
    }

    @Override
    public void open(OpenContext context) {
        buffer = getRuntimeContext()
                .getListState(new ListStateDescriptor<>("buffer", TypeInformation.of(BufferedElement.class)));
    }

    @Override
    public void processElement(BufferedElement element, Context context, Collector<OutputRow> out) throws Exception {
        buffer.add(element);
        context.timerService().registerEventTimeTimer(windowEndMs(element));
    }

    /** The next end after the element. The key is random, so that it is as good a phase as any. */
    long windowEndMs(BufferedElement element) {
        long phase = Math.floorMod(element.key, windowMs);
        long sinceEnd = Math.floorMod(element.happenedMs - EventTime.START_MS - phase, windowMs);
        return element.happenedMs - sinceEnd + windowMs;
    }

    @Override
    public void onTimer(long timestampMs, OnTimerContext context, Collector<OutputRow> out) throws Exception {
        long digest = digest(context.getCurrentKey(), buffer.get());
        buffer.clear();
        out.collect(new OutputRow(timestampMs, digest));
    }

    /** Also of the order of the elements. */
    static long digest(long key, Iterable<BufferedElement> elements) {
        long hash = Digest.number(Digest.START, key);
        long count = 0;
        for (BufferedElement element : elements) {
            hash = Digest.number(Digest.number(hash, element.happenedMs), element.value);
            count++;
        }
        return Digest.end(Digest.number(hash, count));
    }
}
