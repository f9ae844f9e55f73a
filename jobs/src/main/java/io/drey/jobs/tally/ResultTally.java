package io.drey.jobs.tally;

import java.util.Map;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/** Ends a job: adds the tally and, if asked for, the files with the rows, and finds the tally in the job's result. */
public final class ResultTally {
    static final String ACCUMULATOR = "result-tally";

    private ResultTally() {}

    /**
     * Attaches the end of a job.
     *
     * @param output directory for the rows as CSV lines, or null; files appear there exactly once, with checkpoints
     */
    public static <R extends ResultRow> void attach(DataStream<R> rows, String output) {
        TypeInformation<Tally> type = TypeInformation.of(Tally.class);
        rows.transform("tally", type, new RowTallyOperator<R>())
                .uid("tally")
                .global()
                .transform("total", type, new TotalTallyOperator())
                .uid("total")
                .forceNonParallel();
        if (output != null) {
            FileSink<String> files = FileSink.forRowFormat(new Path(output), new SimpleStringEncoder<String>())
                    .withRollingPolicy(OnCheckpointRollingPolicy.build())
                    .build();
            rows.map(ResultRow::line)
                    .returns(Types.STRING)
                    .uid("line")
                    .sinkTo(files)
                    .uid("files");
        }
    }

    /** The tally in the accumulators of a finished job, or null if the job ended without one. */
    public static Tally of(Map<String, Object> accumulators) {
        return (Tally) accumulators.get(ACCUMULATOR);
    }
}
