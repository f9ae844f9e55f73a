package io.drey.jobs.lastseen;

import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.digest.StatelessFunction;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.tally.Digest;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;

/** The job from its source to its rows: a {@code MapState<type, last timestamp>} of 100 types per device. */
public final class LastSeenLoad {
    /** Types of events, all of them known of every device. */
    static final int TYPES = 100;

    /** There is no earlier event of this type. */
    static final long NEVER = Long.MIN_VALUE;

    private static final TypeInformation<DeviceEvent> EVENTS = TypeInformation.of(DeviceEvent.class);
    private static final String NAME = "last-seen";

    private LastSeenLoad() {}

    /** After so many events every entry is there: each registers a device with all its types. */
    public static long fillEvents(LoadSettings settings) {
        return DeviceGenerator.devices(settings);
    }

    /** The rows: one for each event. */
    public static DataStream<OutputRow> rows(StreamExecutionEnvironment env, LoadSettings settings) {
        KeyedProcessFunction<Long, DeviceEvent, OutputRow> function =
                settings.stateless() ? new StatelessFunction<>(event -> digest(event, NEVER)) : new DeviceFunction();
        return GeneratedInput.attach(env, settings, new DeviceGenerator(settings), EVENTS)
                .keyBy(event -> event.device, Types.LONG)
                .process(function, OutputRow.TYPE)
                .name(NAME)
                .uid(NAME);
    }

    static long digest(DeviceEvent event, long previousMs) {
        long hash = Digest.number(Digest.number(Digest.START, event.device), event.type);
        return Digest.end(Digest.number(Digest.number(hash, event.happenedMs), previousMs));
    }
}
