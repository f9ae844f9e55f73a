package io.drey.dist.crash;

import static io.drey.dist.crash.Contents.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * All kinds of state of a key, compared at each of its turns with what they must hold; at the end of the input the key
 * goes on to those who count the keys.
 */
final class CheckedStates extends KeyedProcessFunction<Long, Long, Long> {
    private static final long serialVersionUID = 1L;
    private static final long TTL_MS = 2_000;
    private static final long TIMER_AFTER = 10_000;
    private static final int TURNS_PER_WRITE_WITH_TTL = 3;
    private static final int TURNS_PER_LOOK_AT_LARGE = 7;

    /** Last of all, when the input has ended. */
    private static final long END = Long.MAX_VALUE;

    private final InputEnd end;
    private final long keys;
    private transient ValueState<Long> turns;
    private transient ValueState<Long> fired;
    private transient ListState<Long> list;
    private transient MapState<Long, String> map;
    private transient ValueState<byte[]> large;
    private transient ValueState<Long> expiring;
    private transient ValueState<long[]> written;

    CheckedStates(InputEnd end, long keys) {
        this.end = end;
        this.keys = keys;
    }

    @Override
    public void open(OpenContext context) {
        turns = getRuntimeContext().getState(new ValueStateDescriptor<>("turns", Types.LONG));
        fired = getRuntimeContext().getState(new ValueStateDescriptor<>("fired", Types.LONG));
        list = getRuntimeContext().getListState(new ListStateDescriptor<>("list", Types.LONG));
        map = getRuntimeContext().getMapState(new MapStateDescriptor<>("map", Types.LONG, Types.STRING));
        large = getRuntimeContext()
                .getState(new ValueStateDescriptor<>("large", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        ValueStateDescriptor<Long> descriptor = new ValueStateDescriptor<>("expiring", Types.LONG);
        descriptor.enableTimeToLive(
                StateTtlConfig.newBuilder(Duration.ofMillis(TTL_MS)).build());
        expiring = getRuntimeContext().getState(descriptor);
        written = getRuntimeContext()
                .getState(new ValueStateDescriptor<>("written", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
    }

    private static long orZero(Long number) {
        return number == null ? 0 : number;
    }

    @Override
    public void processElement(Long number, Context context, Collector<Long> out) throws Exception {
        long key = number % keys;
        long turn = number / keys;
        checkStates(key, turn, turn % TURNS_PER_LOOK_AT_LARGE == 0);
        turns.update(turn + 1);
        if (Contents.clearsList(turn)) {
            list.clear();
        }
        list.add(turn);
        map.remove(Contents.removedMapKey(turn));
        map.put(Contents.mapKey(turn), Contents.mapText(key, turn));
        if (Contents.writesLarge(key, turn)) {
            large.update(Contents.written(key, turn));
        }
        if (turn % TURNS_PER_WRITE_WITH_TTL == 0) {
            long before = System.currentTimeMillis();
            expiring.update(turn);
            written.update(new long[] {turn, before, System.currentTimeMillis()});
        }
        context.timerService().registerEventTimeTimer(number + TIMER_AFTER);
        context.timerService().registerEventTimeTimer(END);
    }

    private void checkStates(long key, long turn, boolean withLarge) throws Exception {
        check("turns", key, turn, orZero(turns.value()), turn);
        List<Long> elements = new ArrayList<>();
        list.get().forEach(elements::add);
        check("list", key, turn, elements, Contents.list(turn));
        Map<Long, String> entries = new TreeMap<>();
        for (Map.Entry<Long, String> entry : map.entries()) {
            entries.put(entry.getKey(), entry.getValue());
        }
        check("map", key, turn, entries, Contents.map(key, turn));
        if (withLarge) {
            check("large value", key, turn, large.value(), Contents.large(key, turn));
        }
        checkExpiring(key, turn);
    }

    /** It was written, and is read, some time between two looks at the clock. */
    private void checkExpiring(long key, long turn) throws Exception {
        long before = System.currentTimeMillis();
        Long found = expiring.value();
        long after = System.currentTimeMillis();
        long[] last = written.value();
        boolean mayBeThere = last != null && last[2] + TTL_MS > before;
        boolean mayBeGone = last == null || last[1] + TTL_MS <= after;
        if (found != null) {
            check("expiring value", key, turn, found, mayBeThere ? (Long) last[0] : null);
        } else {
            check("expiring value, which is absent", key, turn, mayBeGone, true);
        }
    }

    @Override
    public void onTimer(long time, OnTimerContext context, Collector<Long> out) throws Exception {
        long key = context.getCurrentKey();
        if (time != END) {
            // The end of the input comes before the last timers.
            check("a timer", key, orZero(turns.value()), (time - TIMER_AFTER) % keys, key);
            fired.update(orZero(fired.value()) + 1);
            return;
        }
        long numbers = end.numbers();
        long all = numbers / keys + (key < numbers % keys ? 1 : 0);
        checkStates(key, all, true);
        check("timers fired", key, all, orZero(fired.value()), all);
        out.collect(key);
    }
}
