package io.drey.jobs.weatherjoin;

import io.drey.jobs.data.DataSet;
import io.drey.jobs.replay.ReplayFeed;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.util.Collector;

/** The job from its events to its rows, with Flink's own interval join. */
public final class WeatherJoin {
    /** The type of the events, for the source. */
    public static final TypeInformation<AirportReport> EVENTS = TypeInformation.of(AirportReport.class);

    private static final Duration WITHIN = Duration.ofHours(1);

    private static final class Join extends ProcessJoinFunction<FlightReport, WeatherReport, JoinedRow> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                FlightReport flight, WeatherReport weather, Context context, Collector<JoinedRow> out) {
            out.collect(JoinedRow.of(flight, weather));
        }
    }

    private WeatherJoin() {}

    /** The events of the job. */
    public static ReplayFeed<AirportReport> feed(DataSet data) {
        return new AirportFeed(data);
    }

    /** The flights with their weather. */
    public static DataStream<JoinedRow> rows(DataStream<AirportReport> reports) {
        KeyedStream<FlightReport, String> flights = reports.filter(report -> report.flight != null)
                .uid("flights-only")
                .map(report -> report.flight)
                .returns(FlightReport.class)
                .uid("flights")
                .keyBy(flight -> flight.airport, Types.STRING);
        KeyedStream<WeatherReport, String> weather = reports.filter(report -> report.weather != null)
                .uid("weather-only")
                .map(report -> report.weather)
                .returns(WeatherReport.class)
                .uid("weather")
                .keyBy(observation -> observation.airport, Types.STRING);
        return flights.intervalJoin(weather)
                .between(WITHIN.negated(), WITHIN)
                .process(new Join())
                .name("weather-join")
                .uid("weather-join");
    }
}
