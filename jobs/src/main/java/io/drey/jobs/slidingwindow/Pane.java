package io.drey.jobs.slidingwindow;

import io.drey.jobs.tally.Digest;
import org.apache.flink.api.common.functions.AggregateFunction;

/**
 * The aggregate of a sensor's readings in a window. A class with public fields because Flink serializes such classes
 * field by field.
 */
public final class Pane {
    public long count;
    public long sum;
    public long min = Long.MAX_VALUE;
    public long max = Long.MIN_VALUE;

    public Pane() {}

    /** Adds readings up. */
    static final class Aggregate implements AggregateFunction<Reading, Pane, Pane> {
        private static final long serialVersionUID = 1L;

        @Override
        public Pane createAccumulator() {
            return new Pane();
        }

        @Override
        public Pane add(Reading reading, Pane pane) {
            pane.count++;
            pane.sum += reading.value;
            pane.min = Math.min(pane.min, reading.value);
            pane.max = Math.max(pane.max, reading.value);
            return pane;
        }

        @Override
        public Pane getResult(Pane pane) {
            return pane;
        }

        @Override
        public Pane merge(Pane pane, Pane other) {
            pane.count += other.count;
            pane.sum += other.sum;
            pane.min = Math.min(pane.min, other.min);
            pane.max = Math.max(pane.max, other.max);
            return pane;
        }
    }

    long digest(long sensor, long windowStartMs) {
        long hash = Digest.number(Digest.number(Digest.START, sensor), windowStartMs);
        hash = Digest.number(Digest.number(hash, count), sum);
        return Digest.end(Digest.number(Digest.number(hash, min), max));
    }
}
