package io.drey.flink.state.keyed;

import io.drey.flink.state.list.DreyListState;
import io.drey.flink.state.map.DreyMapState;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.table.StoredState;
import io.drey.store.entry.Expiry;
import io.drey.store.entry.TimestampExpiry;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * When the store may drop a state's entries: by the time to live of the descriptor of now, if Flink wraps the values
 * with their last access and the job wants expired state to be cleaned up in the background.
 */
final class StateExpiry {
    private final LongSupplier clock;
    private final ClassLoader classes;

    /** Expiries by a time, of values that may be of a job's own classes. */
    StateExpiry(TtlTimeProvider time, ClassLoader classes) {
        // Any other is a test's, which moves it as it likes.
        this.clock = time == TtlTimeProvider.DEFAULT
                ? new CleanupClock(time::currentTimestamp, System::nanoTime)
                : time::currentTimestamp;
        this.classes = classes;
    }

    /** The expiry of the entries of a state by its newest descriptor, or null. */
    Expiry of(StateDescriptor<?, ?> descriptor, StoredState<?, ?, ?> state) {
        StateTtlConfig config = descriptor.getTtlConfig();
        // Flink's question for backends that clean up while they compact; the default of a job without any strategy
        // too.
        if (!config.isEnabled()
                || !config.getCleanupStrategies().inRocksdbCompactFilter()
                || !StateTables.isWithTime(state.getValueSerializer())) {
            return null;
        }
        long ttlMs = config.getTimeToLive().toMillis();
        return switch (descriptor.getType()) {
            case VALUE, REDUCING, AGGREGATING -> new TimestampExpiry(0, ttlMs, clock);
            case MAP -> new TimestampExpiry(DreyMapState.NULL_FLAG_BYTES, ttlMs, clock);
            case LIST -> ((DreyListState<?, ?, ?>) state).expiry(ttlMs, clock, classes);
            default -> null;
        };
    }
}
