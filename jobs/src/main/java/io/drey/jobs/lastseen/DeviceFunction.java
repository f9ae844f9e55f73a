package io.drey.jobs.lastseen;

import io.drey.jobs.digest.OutputRow;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Reads when the type was last seen, compares, and writes if this event is newer. What was read goes into the row of
 * every event, so that a lost or wrong update shows at the next event of the same device and type.
 */
final class DeviceFunction extends KeyedProcessFunction<Long, DeviceEvent, OutputRow> {
    private static final long serialVersionUID = 1L;

    private static final String[] TYPE_NAMES = typeNames();

    private transient MapState<String, Long> lastSeen;

    private static String[] typeNames() {
        String[] names = new String[LastSeenLoad.TYPES];
        for (int i = 0; i < names.length; i++) {
            names[i] = String.format(Locale.ROOT, "type-%02d", i);
        }
        return names;
    }

    @Override
    public void open(OpenContext context) {
        lastSeen = getRuntimeContext().getMapState(new MapStateDescriptor<>("last-seen", Types.STRING, Types.LONG));
    }

    @Override
    public void processElement(DeviceEvent event, Context context, Collector<OutputRow> out) throws Exception {
        long previousMs = event.type == DeviceEvent.REGISTRATION ? register(event) : update(event);
        out.collect(new OutputRow(context.timestamp(), LastSeenLoad.digest(event, previousMs)));
    }

    private long register(DeviceEvent event) throws Exception {
        Map<String, Long> all = new HashMap<>(2 * TYPE_NAMES.length);
        for (String type : TYPE_NAMES) {
            all.put(type, event.happenedMs);
        }
        lastSeen.putAll(all);
        return LastSeenLoad.NEVER;
    }

    private long update(DeviceEvent event) throws Exception {
        String type = TYPE_NAMES[event.type];
        Long previous = lastSeen.get(type);
        if (previous == null || previous < event.happenedMs) {
            lastSeen.put(type, event.happenedMs);
        }
        return previous == null ? LastSeenLoad.NEVER : previous;
    }
}
