package io.drey.jobs.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job does whose rows have times that cannot be. */
class DigestOperatorIT {
    private static final long ROW = 20_150;

    /** The first of the timers that the last watermark of the third bucket fires. */
    private static final long LATE = 29_900;

    private static final CompletableFuture<JobClient> RUNNING = new CompletableFuture<>();

    /** Behind the watermark by a bucket and more; before all time; after all time. */
    @ParameterizedTest
    @ValueSource(longs = {-10_200, -30_000, 1L << 40})
    void aRowOfABucketThatIsCompleteOrImpossibleFailsTheJob(long shiftMs) {
        assertThatThrownBy(() -> runWithARowShifted(shiftMs))
                .hasStackTraceContaining("Expected output rows with event times from " + EventTime.of(20_000))
                .hasStackTraceContaining("found one with " + EventTime.of(ROW + shiftMs));
    }

    /** Ends with a failure of its own, so that the shifted row is known to have been taken. */
    @Test
    void aRowBehindTheWatermarkIsFineWhileItsBucketIsOpen() {
        assertThatThrownBy(() -> runWithARowShifted(-150)).hasStackTraceContaining("the end of the test");
    }

    @Test
    void aBucketWhoseLastTimersWereLeftOutByACancellationIsNotShown() throws Exception {
        DigestBoard.reset();
        StreamExecutionEnvironment env = environment();
        DigestOperator.attach(
                positions(env).keyBy(position -> 0L, Types.LONG).process(new CancelledAtATimer(), OutputRow.TYPE));

        RUNNING.complete(env.executeAsync());

        assertThatThrownBy(() -> RUNNING.get().getJobExecutionResult().get())
                .hasStackTraceContaining("JobCancellationException");
        assertThat(DigestBoard.complete())
                .extracting(BucketDigest::rows)
                .containsExactly(DigestBoard.BUCKET_MS, DigestBoard.BUCKET_MS);
    }

    /** A timer for each event, at its time. */
    private static final class CancelledAtATimer extends KeyedProcessFunction<Long, Long, OutputRow> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(Long position, Context context, Collector<OutputRow> out) {
            context.timerService().registerEventTimeTimer(context.timestamp());
        }

        @Override
        public void onTimer(long timestampMs, OnTimerContext context, Collector<OutputRow> out) throws Exception {
            if (timestampMs == EventTime.of(LATE)) {
                awaitCancellation();
            }
            out.collect(new OutputRow(timestampMs, 1));
        }

        private static void awaitCancellation() throws Exception {
            RUNNING.get().cancel();
            try {
                TimeUnit.HOURS.sleep(1);
            } catch (InterruptedException e) {
                // Flink interrupts a task when it is cancelled. The timer goes on, as one that is nearly done does.
                return;
            }
        }
    }

    private static StreamExecutionEnvironment environment() {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        return env;
    }

    private static DataStream<Long> positions(StreamExecutionEnvironment env) {
        LoadSettings settings = new LoadSettings(1, 100, KeySkew.UNIFORM, 16, 16, false);
        return GeneratedInput.attach(env, settings, position -> position, Types.LONG);
    }

    private static void runWithARowShifted(long shiftMs) throws Exception {
        StreamExecutionEnvironment env = environment();
        DataStream<OutputRow> rows = positions(env)
                .map(position -> {
                    if (position == 2 * ROW) {
                        throw new IllegalStateException("the end of the test");
                    }
                    long eventTimeMs = EventTime.of(position);
                    return new OutputRow(position == ROW ? eventTimeMs + shiftMs : eventTimeMs, position);
                })
                .returns(OutputRow.TYPE);
        DigestOperator.attach(rows);
        env.execute();
    }
}
