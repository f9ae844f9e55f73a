package io.drey.flink.state.keyed;

import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.v2.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.asyncprocessing.RecordContext;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.internal.InternalAggregatingState;
import org.apache.flink.runtime.state.internal.InternalListState;
import org.apache.flink.runtime.state.internal.InternalMapState;
import org.apache.flink.runtime.state.internal.InternalReducingState;
import org.apache.flink.runtime.state.internal.InternalValueState;
import org.apache.flink.runtime.state.v2.StateDescriptorUtils;
import org.apache.flink.runtime.state.v2.adaptor.AggregatingStateAdaptor;
import org.apache.flink.runtime.state.v2.adaptor.AsyncKeyedStateBackendAdaptor;
import org.apache.flink.runtime.state.v2.adaptor.ListStateAdaptor;
import org.apache.flink.runtime.state.v2.adaptor.ReducingStateAdaptor;
import org.apache.flink.runtime.state.v2.adaptor.ValueStateAdaptor;
import org.apache.flink.runtime.state.v2.internal.InternalKeyedState;

/**
 * Flink's asynchronous interface to states, each request answered at once. Flink's own adaptor does that for any backend,
 * but leaves a state's time to live out, and does not end the backend when its task does.
 */
public final class DreyAsyncKeyedStateBackend<K> extends AsyncKeyedStateBackendAdaptor<K> {
    private final AbstractKeyedStateBackend<K> backend;

    /** However often a map is asked for, it is the one that knows the walks over it. */
    private final Map<State, AsyncMapState<?, ?, ?, ?>> maps = new IdentityHashMap<>();

    private RecordContext<K> record;

    /** Takes the backend over: it ends with this one. */
    public DreyAsyncKeyedStateBackend(AbstractKeyedStateBackend<K> backend) {
        super(backend);
        this.backend = backend;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"})
    public <N, S extends InternalKeyedState, SV> S createStateInternal(
            N defaultNamespace, TypeSerializer<N> namespaceSerializer, StateDescriptor<SV> descriptor)
            throws Exception {
        org.apache.flink.api.common.state.StateDescriptor synchronous =
                StateDescriptorUtils.transformFromV2ToV1((StateDescriptor) descriptor);
        synchronous.enableTimeToLive(descriptor.getTtlConfig());
        State state = backend.getPartitionedState(defaultNamespace, namespaceSerializer, synchronous);
        return (S)
                switch (descriptor.getType()) {
                    case VALUE -> new ValueStateAdaptor((InternalValueState) state);
                    case LIST -> new ListStateAdaptor((InternalListState) state);
                    case REDUCING -> new ReducingStateAdaptor((InternalReducingState) state);
                    case AGGREGATING -> new AggregatingStateAdaptor((InternalAggregatingState) state);
                    case MAP ->
                        maps.computeIfAbsent(state, map -> new AsyncMapState((InternalMapState) map, () -> record));
                };
    }

    @Override
    public void switchContext(RecordContext<K> context) {
        record = context;
        super.switchContext(context);
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }

    @Override
    public void dispose() {
        backend.dispose();
    }
}
