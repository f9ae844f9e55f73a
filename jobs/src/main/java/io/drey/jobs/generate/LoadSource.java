package io.drey.jobs.generate;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * An unbounded Flink source of generated events, as fast as they are taken, exactly once. It has one reader, so that
 * all events have one order; its watermarks are counted into the stream, so that a replay is the same to the last bit.
 *
 * @param <E> the type of event
 */
public final class LoadSource<E> implements Source<E, LoadSplit, PendingSplit> {
    private static final long serialVersionUID = 1L;

    /** The gauge with the position of the next event. */
    public static final String POSITION_METRIC = "loadPosition";

    private static final String NAME = "load";

    private final EventGenerator<E> generator;
    private final long fingerprint;

    private LoadSource(EventGenerator<E> generator, LoadSettings settings) {
        this.generator = generator;
        this.fingerprint = settings.fingerprint();
    }

    /** Adds the source to an environment, with parallelism 1. What is to be chained to it needs the same. */
    public static <E> DataStream<E> attach(
            StreamExecutionEnvironment env,
            LoadSettings settings,
            EventGenerator<E> generator,
            TypeInformation<E> type) {
        WatermarkStrategy<E> watermarks = WatermarkStrategy.forGenerator(context -> new CountedWatermarks<>());
        return env.fromSource(new LoadSource<>(generator, settings), watermarks, NAME, type)
                .setParallelism(1)
                .uid(NAME);
    }

    private static final class CountedWatermarks<E> implements WatermarkGenerator<E> {
        @Override
        public void onEvent(E event, long timestampMs, WatermarkOutput output) {
            if (EventTime.isWatermark(timestampMs)) {
                output.emitWatermark(new Watermark(timestampMs));
            }
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SplitEnumerator<LoadSplit, PendingSplit> createEnumerator(SplitEnumeratorContext<LoadSplit> context) {
        return new LoadEnumerator(context, new PendingSplit(new LoadSplit(fingerprint, 0)));
    }

    @Override
    public SplitEnumerator<LoadSplit, PendingSplit> restoreEnumerator(
            SplitEnumeratorContext<LoadSplit> context, PendingSplit pending) {
        return new LoadEnumerator(context, pending);
    }

    @Override
    public SourceReader<E, LoadSplit> createReader(SourceReaderContext context) {
        return new LoadReader<>(context, generator, fingerprint);
    }

    @Override
    public SimpleVersionedSerializer<LoadSplit> getSplitSerializer() {
        return new LoadSplitCodec();
    }

    @Override
    public SimpleVersionedSerializer<PendingSplit> getEnumeratorCheckpointSerializer() {
        return new PendingSplit.Codec();
    }
}
