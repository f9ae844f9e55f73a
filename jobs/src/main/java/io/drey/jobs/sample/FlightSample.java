package io.drey.jobs.sample;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.feed.Feed;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The job from its events to its rows: one {@code ValueState<Sample>} and one timer per flight. */
public final class FlightSample {
    /** The type of the events, for the source. */
    public static final TypeInformation<FlightMessage> EVENTS = TypeInformation.of(FlightMessage.class);

    private FlightSample() {}

    /** The events of the job. */
    public static Feed<FlightMessage> feed(DataSet data) {
        return new MessageFeed(data);
    }

    /** The samples. */
    public static DataStream<SampleRow> rows(DataStream<FlightMessage> messages) {
        return messages.keyBy(message -> message.flight, Types.STRING)
                .process(new SampleFunction())
                .name("flight-sample")
                .uid("flight-sample");
    }
}
