package io.drey.flink.state.list;

import io.drey.flink.state.metric.StateCounters;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports lists of a state whose time to live cannot be read: counts all, and tells the cause of the first in the log.
 * Thread safe.
 */
final class UnreadableLists implements Consumer<Throwable> {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadableLists.class);

    private final String state;
    private final StateCounters counters;
    private final AtomicBoolean told = new AtomicBoolean();

    UnreadableLists(String state, StateCounters counters) {
        this.state = state;
        this.counters = counters;
    }

    @Override
    public void accept(Throwable cause) {
        counters.foundListUnreadable();
        if (told.compareAndSet(false, true)) {
            LOG.warn(
                    "The time to live of a list of state {} could not be read: the list stays, although it may have"
                            + " expired. This is normal for a while after the state got a time to live or another"
                            + " serializer; else its serializer cannot read what it wrote, and lists are never cleaned"
                            + " up. The metric listsUnreadable of the state counts further ones.",
                    state,
                    cause);
        }
    }
}
