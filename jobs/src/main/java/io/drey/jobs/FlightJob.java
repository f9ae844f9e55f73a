package io.drey.jobs;

import io.drey.jobs.flightsample.FlightSample;
import io.drey.jobs.lastseen.LastSeen;
import io.drey.jobs.replay.Replay;
import io.drey.jobs.replay.ReplayFeed;
import io.drey.jobs.tally.ResultRow;
import io.drey.jobs.tally.ResultTally;
import io.drey.jobs.weatherjoin.WeatherJoin;
import java.io.IOException;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The jobs and how each is put together: replayed source, keyed operator, exact tally. */
public enum FlightJob {
    LAST_SEEN("last-seen", "when each kind of event of an aircraft at an airport was seen last") {
        @Override
        public long build(StreamExecutionEnvironment env, JobSettings settings) throws IOException {
            return assemble(env, settings, LastSeen::feed, LastSeen.EVENTS, LastSeen::rows);
        }
    },
    WEATHER_JOIN("weather-join", "flights joined with the weather of their airport within an hour") {
        @Override
        public long build(StreamExecutionEnvironment env, JobSettings settings) throws IOException {
            return assemble(env, settings, WeatherJoin::feed, WeatherJoin.EVENTS, WeatherJoin::rows);
        }
    },
    FLIGHT_SAMPLE("flight-sample", "all messages about a flight collected in one object, emitted by a timer") {
        @Override
        public long build(StreamExecutionEnvironment env, JobSettings settings) throws IOException {
            return assemble(env, settings, FlightSample::feed, FlightSample.EVENTS, FlightSample::rows);
        }
    };

    private final String jobName;
    private final String purpose;

    FlightJob(String jobName, String purpose) {
        this.jobName = jobName;
        this.purpose = purpose;
    }

    /** The name on the command line. */
    public String jobName() {
        return jobName;
    }

    /** What its result says, in a few words. */
    public String purpose() {
        return purpose;
    }

    /**
     * The job with a name of the command line.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are
     */
    public static FlightJob named(String name) {
        return JobNames.find(name, values(), FlightJob::jobName);
    }

    /**
     * Adds the job to an environment. Reads the data set first, so that wrong input fails here and not in a task.
     *
     * @return how many events the source will emit
     * @throws IOException if the input is missing or malformed
     */
    public abstract long build(StreamExecutionEnvironment env, JobSettings settings) throws IOException;

    private static <E, R extends ResultRow> long assemble(
            StreamExecutionEnvironment env,
            JobSettings settings,
            Replay.FeedOf<E> feedOf,
            TypeInformation<E> type,
            Function<DataStream<E>, DataStream<R>> rows)
            throws IOException {
        Replay replay = new Replay(settings.input(), settings.repeat(), settings.failAfter());
        ReplayFeed<E> feed = replay.feed(feedOf);
        ResultTally.attach(rows.apply(replay.attach(env, feed, feedOf, type)), settings.output());
        return feed.size() * settings.repeat();
    }
}
