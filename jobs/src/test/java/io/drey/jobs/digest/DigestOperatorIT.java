package io.drey.jobs.digest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.jobs.generate.EventTime;
import io.drey.jobs.generate.GeneratedInput;
import io.drey.jobs.generate.KeySkew;
import io.drey.jobs.generate.LoadSettings;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job does whose rows have times that cannot be. */
class DigestOperatorIT {
    private static final long ROW = 20_150;

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

    private static void runWithARowShifted(long shiftMs) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(1);
        LoadSettings settings = new LoadSettings(1, 100, KeySkew.UNIFORM, 16, 16, false);
        DataStream<Long> positions = GeneratedInput.attach(env, settings, position -> position, Types.LONG);
        DataStream<OutputRow> rows = positions
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
