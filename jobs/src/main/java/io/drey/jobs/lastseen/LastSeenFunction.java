package io.drey.jobs.lastseen;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Reads when the type was last seen, compares, and writes if this event is newer. */
final class LastSeenFunction extends KeyedProcessFunction<String, AircraftEvent, LastSeenRow> {
    private static final long serialVersionUID = 1L;

    private transient MapState<String, Long> lastSeen;

    @Override
    public void open(OpenContext context) {
        lastSeen = getRuntimeContext().getMapState(new MapStateDescriptor<>("last-seen", Types.STRING, Types.LONG));
    }

    @Override
    public void processElement(AircraftEvent event, Context context, Collector<LastSeenRow> out) throws Exception {
        Long previous = lastSeen.get(event.type);
        if (previous != null && previous >= event.timestampMs) {
            return;
        }
        lastSeen.put(event.type, event.timestampMs);
        out.collect(new LastSeenRow(
                event.aircraft, event.type, event.timestampMs, previous == null ? LastSeenRow.NEVER : previous));
    }
}
