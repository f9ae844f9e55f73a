package io.drey.jobs.lastseen;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.replay.ReplayFeed;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The job from its events to its rows: one {@code MapState<event type, last timestamp>} per aircraft. */
public final class LastSeen {
    /** The type of the events, for the source. */
    public static final TypeInformation<AircraftEvent> EVENTS = TypeInformation.of(AircraftEvent.class);

    private LastSeen() {}

    /** The events of the job. */
    public static ReplayFeed<AircraftEvent> feed(DataSet data) {
        return new AircraftFeed(data);
    }

    /** The updates. */
    public static DataStream<LastSeenRow> rows(DataStream<AircraftEvent> events) {
        return events.keyBy(event -> event.aircraft, Types.STRING)
                .process(new LastSeenFunction())
                .name("last-seen")
                .uid("last-seen");
    }
}
