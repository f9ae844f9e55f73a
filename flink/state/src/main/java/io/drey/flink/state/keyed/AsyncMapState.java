package io.drey.flink.state.keyed;

import java.util.Iterator;
import java.util.Map;
import org.apache.flink.api.common.state.v2.StateFuture;
import org.apache.flink.api.common.state.v2.StateIterator;
import org.apache.flink.core.state.StateFutureUtils;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.v2.adaptor.CompleteStateIterator;
import org.apache.flink.runtime.state.v2.adaptor.MapStateAdaptor;

/** A map of Flink's asynchronous interface, whose walks begin when they are asked for, and once. */
final class AsyncMapState<K, N, UK, UV> extends MapStateAdaptor<K, N, UK, UV> {
    AsyncMapState(InternalMapState<K, N, UK, UV> state) {
        super(state);
    }

    @Override
    public StateFuture<StateIterator<Map.Entry<UK, UV>>> asyncEntries() {
        return begun(entries());
    }

    @Override
    public StateFuture<StateIterator<UK>> asyncKeys() {
        return begun(keys());
    }

    @Override
    public StateFuture<StateIterator<UV>> asyncValues() {
        return begun(values());
    }

    private static <T> StateFuture<StateIterator<T>> begun(Iterable<T> walks) {
        return StateFutureUtils.completedFuture(new CompleteStateIterator<>(new Begun<>(walks)));
    }

    /** Flink asks for an iterator to see if there is anything, and then for the one of the walk: the same. */
    private static final class Begun<T> implements Iterable<T> {
        private final Iterable<T> walks;
        private final Iterator<T> first;
        private int asked;

        Begun(Iterable<T> walks) {
            this.walks = walks;
            this.first = walks.iterator();
        }

        @Override
        public Iterator<T> iterator() {
            return asked++ < 2 ? first : walks.iterator();
        }
    }
}
