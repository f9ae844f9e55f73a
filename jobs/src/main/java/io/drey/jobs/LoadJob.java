package io.drey.jobs;

import io.drey.jobs.commit.CommitBoard;
import io.drey.jobs.commit.CommittedRows;
import io.drey.jobs.deduplicate.DeduplicateLoad;
import io.drey.jobs.digest.DigestOperator;
import io.drey.jobs.digest.OutputRow;
import io.drey.jobs.generate.LoadSettings;
import io.drey.jobs.intervaljoin.IntervalJoinLoad;
import io.drey.jobs.lastseen.LastSeenLoad;
import io.drey.jobs.listbuffer.ListBufferLoad;
import io.drey.jobs.regularjoin.RegularJoinLoad;
import io.drey.jobs.samplejoin.SampleJoinLoad;
import io.drey.jobs.slidingwindow.SlidingWindowLoad;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The generated jobs, of any size and without end, and how each is put together: one source vertex, and one vertex with
 * the keyed state and the digest of its output.
 */
public enum LoadJob {
    LAST_SEEN(
            "last-seen",
            "when each of 100 types of events of a device was seen last",
            "entries",
            false,
            LastSeenLoad::fillEvents,
            LastSeenLoad::rows),
    INTERVAL_JOIN(
            "interval-join",
            "rows of two streams joined within an interval; few find a partner",
            "rows",
            true,
            IntervalJoinLoad::fillEvents,
            IntervalJoinLoad::rows),
    SAMPLE_JOIN(
            "sample-join",
            "messages of three streams collected in one object per key, emitted by a timer",
            "objects",
            false,
            SampleJoinLoad::fillEvents,
            SampleJoinLoad::rows),
    SLIDING_WINDOW(
            "sliding-window",
            "count, sum, least and largest per key over windows of twelve slides",
            "panes",
            false,
            SlidingWindowLoad::fillEvents,
            SlidingWindowLoad::rows),
    LIST_BUFFER(
            "list-buffer",
            "elements appended to a list per key, read and cleared by a timer",
            "elements",
            false,
            ListBufferLoad::fillEvents,
            ListBufferLoad::rows),
    REGULAR_JOIN(
            "regular-join",
            "two changing tables joined by SQL, without unique keys",
            "rows",
            true,
            RegularJoinLoad::fillEvents,
            RegularJoinLoad::rows),
    DEDUPLICATE(
            "deduplicate",
            "the first event of every key by SQL, with a time to live",
            "keys",
            false,
            DeduplicateLoad::fillEvents,
            DeduplicateLoad::rows),
    LAST_SEEN_COMMITTED(
            "last-seen-committed",
            "last-seen, and each row becomes visible with a checkpoint, exactly once",
            "entries",
            false,
            LastSeenLoad::fillEvents,
            LastSeenLoad::rows);

    private final String jobName;
    private final String purpose;
    private final String unit;
    private final boolean usesRows;
    private final ToLongFunction<LoadSettings> fillEvents;
    private final BiFunction<StreamExecutionEnvironment, LoadSettings, DataStream<OutputRow>> rows;

    LoadJob(
            String jobName,
            String purpose,
            String unit,
            boolean usesRows,
            ToLongFunction<LoadSettings> fillEvents,
            BiFunction<StreamExecutionEnvironment, LoadSettings, DataStream<OutputRow>> rows) {
        this.jobName = jobName;
        this.purpose = purpose;
        this.unit = unit;
        this.usesRows = usesRows;
        this.fillEvents = fillEvents;
        this.rows = rows;
    }

    /** The name on the command line. */
    public String jobName() {
        return jobName;
    }

    /** What it computes, in a few words. */
    public String purpose() {
        return purpose;
    }

    /** What {@link LoadSettings#alive} counts. */
    public String unit() {
        return unit;
    }

    /** Whether the sizes of rows in the settings matter to it. */
    public boolean usesRows() {
        return usesRows;
    }

    /** The position of the input from which on the state has its steady size. */
    public long fillEvents(LoadSettings settings) {
        return fillEvents.applyAsLong(settings);
    }

    /**
     * The job with a name of the command line.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are
     */
    public static LoadJob named(String name) {
        return JobNames.find(name, values(), LoadJob::jobName);
    }

    /** From now on it is measured how late the rows of the job in this process become visible, if it commits them. */
    public static void measureCommits() {
        CommitBoard.begin();
    }

    /** The time since then from an event to its visible row, in ms, that so many per cent take at most. */
    public static OptionalLong commitLatencyMs(int percent) {
        return CommitBoard.latencyMs(percent);
    }

    /**
     * Adds the job to an environment; its default parallelism is that of the vertex with the state.
     *
     * @param output local directory for rows, of jobs that commit them
     */
    public void build(StreamExecutionEnvironment env, LoadSettings settings, Path output) {
        DataStream<OutputRow> made = rows.apply(env, settings);
        DigestOperator.attach(made);
        if (this == LAST_SEEN_COMMITTED) {
            CommittedRows.attach(made, output);
        }
    }
}
