package io.drey.bench.shuffle;

import io.drey.bench.format.Quantity;
import io.drey.bench.result.ShuffleComparison;
import io.drey.jobs.generate.Payload;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.functions.FilterFunction;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Jobs with one exchange each, from two producers to all consumers. */
enum ExchangeLoad implements ShuffleLoad {
    RANDOM("records that do not compress, to two consumers"),
    COMPRESSIBLE("records that compress about 2:1, to two consumers"),
    EMPTY("a stage that emits nothing: what starting and ending an exchange costs"),
    READERS("records that do not compress, to many consumers, each of which reads little, two at a time");

    /** Of a record, with its length. */
    private static final int RECORD_BYTES = 256;

    static final int PRODUCERS = 2;
    private static final long BYTES = 512L << 20;
    private static final long QUICK_BYTES = 64L << 20;
    private static final int READERS_NUMBER = 1_000;
    private static final int QUICK_READERS_NUMBER = 100;

    /** Beside the load of a whole machine each of many readers gets this much less. */
    private static final int READERS_SHARE = 8;

    /** A worker serves for weeks: for so many runs compiling it takes as much processor time as its work. */
    private static final int WARM_UPS = 8;

    private final String purpose;

    ExchangeLoad(String purpose) {
        this.purpose = purpose;
    }

    @Override
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public ShuffleComparison.Job facts(boolean quick) {
        return new ShuffleComparison.Job(text(), purpose, size(records(quick), consumers(quick)));
    }

    /** In a sentence without its full stop. */
    static String size(long records, int consumers) {
        return Quantity.count(records) + " records of " + RECORD_BYTES + " bytes from " + PRODUCERS + " producers to "
                + Quantity.count(consumers) + " consumers";
    }

    @Override
    public int slots(boolean quick) {
        return PRODUCERS;
    }

    @Override
    public int warmUps(boolean quick) {
        return quick ? 1 : WARM_UPS;
    }

    /** Records that go through the exchange. */
    long records(boolean quick) {
        if (this == EMPTY) {
            return 0;
        }
        return (quick ? QUICK_BYTES : BYTES) / RECORD_BYTES / (this == READERS ? READERS_SHARE : 1);
    }

    int consumers(boolean quick) {
        if (this != READERS) {
            return PRODUCERS;
        }
        return quick ? QUICK_READERS_NUMBER : READERS_NUMBER;
    }

    @Override
    public Outcome run(FlinkProcesses cluster, boolean quick, Surroundings surroundings) throws Exception {
        int consumers = consumers(quick);
        StreamExecutionEnvironment environment = cluster.batch(PRODUCERS);
        environment
                .fromSequence(1, Math.max(PRODUCERS, records(quick)))
                .filter(new Emits(this != EMPTY))
                .map(new Filler(this == COMPRESSIBLE))
                .rebalance()
                .map(new RecordTally())
                .setParallelism(consumers)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(consumers);
        CompletableFuture<JobExecutionResult> done =
                environment.executeAsync(text()).getJobExecutionResult();
        JobExecutionResult result = PatientWait.await(ms -> done.get(ms, TimeUnit.MILLISECONDS));
        return new Outcome(
                result.getNetRuntime(TimeUnit.MILLISECONDS) / 1e3,
                RecordTally.rows(result),
                RecordTally.digest(result));
    }

    /** Lets all pass, or nothing. */
    private static final class Emits implements FilterFunction<Long> {
        private static final long serialVersionUID = 1L;
        private final boolean all;

        private Emits(boolean all) {
            this.all = all;
        }

        @Override
        public boolean filter(Long number) {
            return all;
        }
    }

    /** Makes a record of a number, the same whenever it is made. Hot path: allocates the record and nothing else. */
    static final class Filler implements MapFunction<Long, byte[]> {
        private static final long serialVersionUID = 1L;
        private static final int BYTES = RECORD_BYTES - Integer.BYTES;
        private final boolean compressible;

        Filler(boolean compressible) {
            this.compressible = compressible;
        }

        @Override
        public byte[] map(Long number) {
            return compressible ? Payload.ofSize(number, BYTES) : Payload.incompressible(number, BYTES);
        }
    }
}
