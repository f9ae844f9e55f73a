package io.drey.jobs.flightsample;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.replay.ReplayFeed;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The job from its events to its rows: one {@code ValueState<FlightMessages>} and one timer per flight. */
public final class FlightSample {
    /** The type of the events, for the source. */
    public static final TypeInformation<FlightMessage> EVENTS = TypeInformation.of(FlightMessage.class);

    private FlightSample() {}

    /** The events of the job. */
    public static ReplayFeed<FlightMessage> feed(DataSet data) {
        return new MessageFeed(data);
    }

    /** The samples. */
    public static DataStream<SampleRow> rows(DataStream<FlightMessage> messages) {
        return messages.keyBy(message -> message.flight, Types.STRING)
                .process(new FlightSampleFunction())
                .name("flight-sample")
                .uid("flight-sample");
    }
}
