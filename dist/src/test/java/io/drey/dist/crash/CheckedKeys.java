package io.drey.dist.crash;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Takes each key that was right at the end, once; all of them must come. */
final class CheckedKeys extends KeyedProcessFunction<Integer, Long, Long> {
    private static final long serialVersionUID = 1L;

    private final InputEnd end;
    private final long keys;
    private transient MapState<Long, Boolean> seen;

    CheckedKeys(InputEnd end, long keys) {
        this.end = end;
        this.keys = keys;
    }

    @Override
    public void open(OpenContext context) {
        seen = getRuntimeContext().getMapState(new MapStateDescriptor<>("seen", Types.LONG, Types.BOOLEAN));
    }

    @Override
    public void processElement(Long key, Context context, Collector<Long> out) throws Exception {
        Contents.check("the end", key, -1, seen.contains(key), false);
        seen.put(key, true);
        context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
    }

    @Override
    public void onTimer(long time, OnTimerContext context, Collector<Long> out) throws Exception {
        long expected = Math.min(end.numbers(), keys);
        long found = 0;
        for (Long key : seen.keys()) {
            found += key >= 0 && key < expected ? 1 : 0;
        }
        Contents.check("number of keys", 0, -1, found, expected);
        LongCounter counter = getRuntimeContext().getLongCounter(CrashJob.KEYS_CHECKED);
        counter.add(found);
        out.collect(found);
    }
}
