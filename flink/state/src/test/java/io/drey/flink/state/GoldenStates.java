package io.drey.flink.state;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/** What the golden checkpoints hold: every kind of state, values that lie in a file of their own, and a time to live. */
final class GoldenStates {
    /** Nothing has expired while the clock stands here. */
    static final long NOW = 1_000_000;

    private static final int KEYS = 12;
    private static final int LARGE_BYTES = 3_000;

    private final AbstractKeyedStateBackend<String> backend;
    private final AllStates all;
    private final ValueState<byte[]> large;
    private final ListState<String> expiringList;
    private final MapState<String, String> expiringMap;

    GoldenStates(AbstractKeyedStateBackend<String> backend) throws Exception {
        this.backend = backend;
        all = new AllStates(backend, KEYS);
        large = state(new ValueStateDescriptor<>("large", BytePrimitiveArraySerializer.INSTANCE));
        expiringList = expiring(new ListStateDescriptor<>("expiring list", StringSerializer.INSTANCE));
        expiringMap = expiring(
                new MapStateDescriptor<>("expiring map", StringSerializer.INSTANCE, StringSerializer.INSTANCE));
    }

    private <S extends State> S expiring(StateDescriptor<S, ?> descriptor) throws Exception {
        descriptor.enableTimeToLive(
                StateTtlConfig.newBuilder(Duration.ofHours(1)).build());
        return state(descriptor);
    }

    private <S extends State> S state(StateDescriptor<S, ?> descriptor) throws Exception {
        return backend.getPartitionedState(VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }

    /** Each time adds to what is there. */
    void fill(int round) throws Exception {
        all.fill();
        Random random = new Random(round);
        for (int i = 0; i < 3; i++) {
            backend.setCurrentKey("large " + i);
            byte[] bytes = new byte[LARGE_BYTES];
            random.nextBytes(bytes);
            large.update(bytes);
            expiringList.add("element of round " + round);
            expiringMap.put("round " + round, "entry " + i);
        }
    }

    /** All that there is under the keys of the backend's range, a line each. */
    Map<String, String> dump() throws Exception {
        Map<String, String> dump = all.dump();
        for (int i = 0; i < 3; i++) {
            String key = "large " + i;
            int keyGroup = org.apache.flink.runtime.state.KeyGroupRangeAssignment.assignToKeyGroup(
                    key, backend.getNumberOfKeyGroups());
            if (backend.getKeyGroupRange().contains(keyGroup)) {
                backend.setCurrentKey(key);
                TreeMap<String, String> entries = new TreeMap<>();
                for (Map.Entry<String, String> entry : expiringMap.entries()) {
                    entries.put(entry.getKey(), entry.getValue());
                }
                List<String> elements = new ArrayList<>();
                expiringList.get().forEach(elements::add);
                dump.put(key, Arrays.hashCode(large.value()) + "|" + elements + "|" + entries);
            }
        }
        return dump;
    }
}
