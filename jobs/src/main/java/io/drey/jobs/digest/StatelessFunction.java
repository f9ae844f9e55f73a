package io.drey.jobs.digest;

import java.io.Serializable;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The ceiling of a job: a row for every event and no state.
 *
 * @param <K> the type of key
 * @param <E> the type of event
 */
public final class StatelessFunction<K, E> extends KeyedProcessFunction<K, E, OutputRow> {
    private static final long serialVersionUID = 1L;

    private final EventDigest<E> digest;

    public StatelessFunction(EventDigest<E> digest) {
        this.digest = digest;
    }

    /**
     * The digest of an event.
     *
     * @param <E> the type of event
     */
    @FunctionalInterface
    public interface EventDigest<E> extends Serializable {
        /** As {@link io.drey.jobs.tally.Digest} makes it. */
        long of(E event);
    }

    @Override
    public void processElement(E event, Context context, Collector<OutputRow> out) {
        out.collect(new OutputRow(context.timestamp(), digest.of(event)));
    }
}
