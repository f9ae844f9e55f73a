package io.drey.flink.state.keyed;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.api.common.state.v2.StateFuture;
import org.apache.flink.api.common.state.v2.StateIterator;
import org.apache.flink.core.state.StateFutureUtils;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.v2.adaptor.CompleteStateIterator;
import org.apache.flink.runtime.state.v2.adaptor.MapStateAdaptor;

/**
 * A map of Flink's asynchronous interface, whose walks begin when they are asked for, and once. They read on as they go:
 * so a clear copies what they have not read yet, while other changes may be seen by a walk that has begun. Nobody goes
 * on with a walk that an earlier record has only asked for, maybe to see whether there is anything: it is not copied.
 */
final class AsyncMapState<K, N, UK, UV> extends MapStateAdaptor<K, N, UK, UV> {
    /** So many walks are remembered without a look at which of them have ended. */
    private static final int WALKS_MIN = 16;

    /** Also such that have ended, or that nobody goes on with. */
    private final List<WeakReference<Walk<?>>> walks = new ArrayList<>();

    private int walksMax = WALKS_MIN;

    private final Supplier<?> record;

    /** A map and what says which record is worked on. */
    AsyncMapState(InternalMapState<K, N, UK, UV> state, Supplier<?> record) {
        super(state);
        this.record = record;
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

    @Override
    public StateFuture<Void> asyncClear() {
        clear();
        return StateFutureUtils.completedVoidFuture();
    }

    @Override
    public void clear() {
        for (WeakReference<Walk<?>> each : walks) {
            Walk<?> walk = each.get();
            if (walk != null && (walk.goesOn || walk.record == record.get())) {
                walk.readAll();
            }
        }
        walks.clear();
        super.clear();
    }

    private <T> StateFuture<StateIterator<T>> begun(Iterable<T> elements) {
        if (walks.size() >= walksMax) {
            walks.removeIf(each -> hasEnded(each.get()));
            walksMax = Math.max(WALKS_MIN, 2 * walks.size());
        }
        Walk<T> walk = new Walk<>(elements.iterator(), record.get());
        walks.add(new WeakReference<>(walk));
        return StateFutureUtils.completedFuture(new CompleteStateIterator<>(new Begun<>(elements, walk)));
    }

    private static boolean hasEnded(Walk<?> walk) {
        return walk == null || walk.ended;
    }

    /** Flink asks for an iterator to see if there is anything, and then for the one of the walk: the same. */
    private static final class Begun<T> implements Iterable<T> {
        private final Iterable<T> elements;
        private final Walk<T> first;
        private int asked;

        Begun(Iterable<T> elements, Walk<T> first) {
            this.elements = elements;
            this.first = first;
        }

        @Override
        public Iterator<T> iterator() {
            first.goesOn = asked > 0;
            return asked++ < 2 ? first : elements.iterator();
        }
    }

    /** A walk that may go on in a copy. */
    private static final class Walk<T> implements Iterator<T> {
        private final Object record;
        private Iterator<T> rest;
        private boolean goesOn;
        private boolean ended;

        Walk(Iterator<T> rest, Object record) {
            this.rest = rest;
            this.record = record;
        }

        void readAll() {
            List<T> all = new ArrayList<>();
            rest.forEachRemaining(all::add);
            rest = all.iterator();
        }

        @Override
        public boolean hasNext() {
            ended = !rest.hasNext();
            return !ended;
        }

        @Override
        public T next() {
            return rest.next();
        }
    }
}
