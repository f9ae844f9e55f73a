package io.drey.flink.state.keyed;

import io.drey.flink.state.list.DreyListState;
import io.drey.flink.state.map.DreyMapState;
import io.drey.flink.state.metric.StateMetrics;
import io.drey.flink.state.table.KeyedStore;
import io.drey.flink.state.table.StateTable;
import io.drey.flink.state.table.StateTables;
import io.drey.flink.state.table.StoredState;
import io.drey.flink.state.value.DreyAggregatingState;
import io.drey.flink.state.value.DreyReducingState;
import io.drey.flink.state.value.DreyValueState;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.StateMigrationException;

/** Turns descriptors into states: new ones, or restored ones, whose serializers are checked and values migrated. */
final class StateRegistration<K> {
    private final KeyedStore<K> store;
    private final StateTables tables;
    private final StateMigration migration;
    private final StateMetrics metrics;
    private final StateExpiry expiry;
    private final Map<String, StoredState<K, ?, ?>> states = new HashMap<>();

    StateRegistration(
            KeyedStore<K> store,
            StateTables tables,
            StateMigration migration,
            StateMetrics metrics,
            StateExpiry expiry) {
        this.store = store;
        this.tables = tables;
        this.migration = migration;
        this.metrics = metrics;
        this.expiry = expiry;
    }

    /** The state of a descriptor; registering it again gives the same object with the new settings. */
    <N, V> StoredState<K, N, V> register(
            StateDescriptor<?, V> descriptor,
            TypeSerializer<N> namespaceSerializer,
            StateSnapshotTransformFactory<?> transforms,
            boolean allowFutureMetadataUpdates)
            throws Exception {
        StateTable table = tables.keyValue(descriptor.getName());
        RegisteredKeyValueStateBackendMetaInfo<N, V> info;
        if (table == null) {
            info = upgradable(newInfo(descriptor, namespaceSerializer), allowFutureMetadataUpdates);
            table = tables.register(info);
        } else {
            settle(descriptor.getName());
            info = upgradable(update(table, descriptor, namespaceSerializer), allowFutureMetadataUpdates);
            table.info(info);
        }
        table.transforms(transforms);
        StoredState<K, N, V> state = configured(table, descriptor, info);
        // A log of changes is replayed by the descriptor of before: the time to live of now is not known yet.
        store.expire(table.number(), allowFutureMetadataUpdates ? null : expiry.of(descriptor, state));
        return state;
    }

    /** Brings the values of a known state into the store by the serializer of before. */
    private void settle(String name) throws IOException {
        StoredState<K, ?, ?> known = states.get(name);
        if (known != null) {
            known.settle();
        }
    }

    private static <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> newInfo(
            StateDescriptor<?, V> descriptor, TypeSerializer<N> namespaceSerializer) {
        return new RegisteredKeyValueStateBackendMetaInfo<>(
                descriptor.getType(), descriptor.getName(), namespaceSerializer, descriptor.getSerializer());
    }

    private static <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> upgradable(
            RegisteredKeyValueStateBackendMetaInfo<N, V> info, boolean allowFutureMetadataUpdates) {
        return allowFutureMetadataUpdates ? info.withSerializerUpgradesAllowed() : info;
    }

    private <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> update(
            StateTable table, StateDescriptor<?, V> descriptor, TypeSerializer<N> namespaceSerializer)
            throws Exception {
        RegisteredKeyValueStateBackendMetaInfo<N, V> info = info(table);
        // Also if a migration fails half way, what was restored says no more what values are like.
        table.info(info);
        // Asked for before the update, which may make them unavailable to messages.
        TypeSerializer<N> previousNamespaces = info.getNamespaceSerializer();
        TypeSerializerSchemaCompatibility<N> namespaces = info.updateNamespaceSerializer(namespaceSerializer);
        if (namespaces.isCompatibleAfterMigration() || namespaces.isIncompatible()) {
            throw new StateMigrationException("The new namespace serializer (" + namespaceSerializer
                    + ") must be compatible with the old namespace serializer (" + previousNamespaces + ").");
        }
        info.checkStateMetaInfo(descriptor);
        TypeSerializer<V> previousValues = info.getStateSerializer();
        TypeSerializerSchemaCompatibility<V> values = info.updateStateSerializer(descriptor.getSerializer());
        if (values.isIncompatible()) {
            throw new StateMigrationException("The new state serializer (" + descriptor.getSerializer()
                    + ") must not be incompatible with the old state serializer (" + previousValues + ").");
        }
        if (values.isCompatibleAfterMigration()) {
            StateMigration.checkMigratable(info);
            migration.rewrite(table, configured(table, descriptor, info), info);
        }
        return info;
    }

    @SuppressWarnings("unchecked")
    private static <N, V> RegisteredKeyValueStateBackendMetaInfo<N, V> info(StateTable table) {
        return (RegisteredKeyValueStateBackendMetaInfo<N, V>) table.info();
    }

    @SuppressWarnings("unchecked")
    private <N, V> StoredState<K, N, V> configured(
            StateTable table, StateDescriptor<?, V> descriptor, RegisteredKeyValueStateBackendMetaInfo<N, V> info) {
        StoredState<K, N, V> state = (StoredState<K, N, V>) states.get(descriptor.getName());
        if (state == null) {
            state = (StoredState<K, N, V>) create(table, descriptor);
        }
        state.configure(descriptor, info);
        states.put(descriptor.getName(), state);
        return state;
    }

    private StoredState<K, ?, ?> create(StateTable table, StateDescriptor<?, ?> descriptor) {
        KeyedStore<K> counted = store.counting(metrics.of(descriptor.getName()));
        return switch (descriptor.getType()) {
            case VALUE -> new DreyValueState<>(counted, table);
            case LIST -> new DreyListState<>(counted, table);
            case MAP -> new DreyMapState<>(counted, table);
            case REDUCING -> new DreyReducingState<>(counted, table);
            case AGGREGATING -> new DreyAggregatingState<>(counted, table);
            default ->
                throw new FlinkRuntimeException(
                        "State " + descriptor.getClass() + " is not supported by " + DreyKeyedStateBackend.class);
        };
    }
}
