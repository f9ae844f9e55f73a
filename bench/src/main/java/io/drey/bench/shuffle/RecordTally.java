package io.drey.bench.shuffle;

import io.drey.jobs.generate.Payload;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/** Counts records and adds up their digests: the result of a job, whatever the order is in which records come. */
final class RecordTally extends RichMapFunction<byte[], byte[]> {
    private static final long serialVersionUID = 1L;
    private static final String ROWS = "rows";
    private static final String DIGEST = "digest";

    private transient LongCounter rows;
    private transient LongCounter digest;

    @Override
    public void open(OpenContext context) {
        rows = new LongCounter();
        digest = new LongCounter();
        getRuntimeContext().addAccumulator(ROWS, rows);
        getRuntimeContext().addAccumulator(DIGEST, digest);
    }

    @Override
    public byte[] map(byte[] value) {
        rows.add(1L);
        digest.add(Payload.digest(value));
        return value;
    }

    static long rows(JobExecutionResult result) {
        return result.<Long>getAccumulatorResult(ROWS);
    }

    static String digest(JobExecutionResult result) {
        return Long.toHexString(result.<Long>getAccumulatorResult(DIGEST));
    }
}
