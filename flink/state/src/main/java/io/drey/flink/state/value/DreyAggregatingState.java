package io.drey.flink.state.value;

import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;

/**
 * Aggregating state: the accumulator is stored, the result computed on demand.
 *
 * @param <T> type of the values added
 * @param <A> type of the accumulator
 * @param <R> type of the result
 */
public final class DreyAggregatingState<K, N, T, A, R> extends SingleState<K, N, A>
        implements InternalAggregatingState<K, N, T, A, R> {
    private AggregateFunction<T, A, R> function;

    public DreyAggregatingState(KeyedStore<K> store, StateTable table) {
        super(store, table);
    }

    @Override
    @SuppressWarnings("unchecked")
    public void configure(StateDescriptor<?, A> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, A> info) {
        super.configure(descriptor, info);
        function = ((AggregatingStateDescriptor<T, A, R>) descriptor).getAggregateFunction();
    }

    @Override
    public R get() throws IOException {
        A accumulator = read();
        return accumulator == null ? null : function.getResult(accumulator);
    }

    @Override
    public void add(T value) throws IOException {
        A stored = read();
        write(function.add(value, stored == null ? function.createAccumulator() : stored));
    }

    @Override
    A combine(A first, A second) {
        return function.merge(first, second);
    }

    @Override
    public void mergeNamespaces(N target, Collection<N> sources) throws Exception {
        merge(target, sources);
    }

    @Override
    public A getInternal() throws IOException {
        return read();
    }

    @Override
    public void updateInternal(A valueToStore) throws IOException {
        write(valueToStore);
    }
}
