package io.drey.jobs.replay;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * Watermarks behind the latest event by the disorder of the feed, one whenever event time has advanced by a step. Not
 * by the clock, as Flink's own do: a replay passes days of event time in a blink, and how much state a job holds should
 * depend on its data and not on the speed of the machine.
 *
 * @param <E> the type of event
 */
final class ReplayWatermarks<E> implements WatermarkGenerator<E> {
    private static final long STEP_MS = Duration.ofMinutes(10).toMillis();

    private final long disorderMs;
    private long emittedMs = Long.MIN_VALUE + STEP_MS;

    private ReplayWatermarks(long disorderMs) {
        this.disorderMs = disorderMs;
    }

    /** The strategy for a feed in which an event is at most this much earlier than one that arrived before it. */
    static <E> WatermarkStrategy<E> strategy(Duration disorder) {
        long disorderMs = disorder.toMillis();
        return WatermarkStrategy.forGenerator(context -> new ReplayWatermarks<>(disorderMs));
    }

    @Override
    public void onEvent(E event, long timestampMs, WatermarkOutput output) {
        long watermarkMs = timestampMs - disorderMs - 1;
        if (watermarkMs - STEP_MS >= emittedMs) {
            emittedMs = watermarkMs;
            output.emitWatermark(new Watermark(watermarkMs));
        }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
}
