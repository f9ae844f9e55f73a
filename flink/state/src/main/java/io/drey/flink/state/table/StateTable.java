package io.drey.flink.state.table;

import io.drey.store.entry.TableKind;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.RegisteredPriorityQueueStateBackendMetaInfo;
import org.apache.flink.runtime.state.RegisteredStateMetaInfoBase;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.StateMigrationException;

/**
 * A registered state or timer queue: its table in the store, and what Flink knows of its type and serializers. The
 * table's name says which of the two it is, so that a state and a queue of one name are two tables.
 */
public final class StateTable {
    private static final String KEY_VALUE = "kv:";
    private static final String QUEUE = "pq:";

    private final int number;
    private final TableKind kind;
    private RegisteredStateMetaInfoBase info;

    /** What a checkpoint says of it, until somebody registers serializers; null if that is not to be written again. */
    private StateMetaInfoSnapshot restored;

    private StateSnapshotTransformFactory<?> transforms = StateSnapshotTransformFactory.noTransform();

    StateTable(int number, TableKind kind, RegisteredStateMetaInfoBase info) {
        this.number = number;
        this.kind = kind;
        this.info = info;
    }

    static String keyValueName(String state) {
        return KEY_VALUE + state;
    }

    static String queueName(String queue) {
        return QUEUE + queue;
    }

    static String name(RegisteredStateMetaInfoBase info) throws StateMigrationException {
        if (info instanceof RegisteredKeyValueStateBackendMetaInfo) {
            return keyValueName(info.getName());
        }
        if (info instanceof RegisteredPriorityQueueStateBackendMetaInfo) {
            return queueName(info.getName());
        }
        throw unknown(info);
    }

    static TableKind kind(RegisteredStateMetaInfoBase info) throws StateMigrationException {
        if (info instanceof RegisteredPriorityQueueStateBackendMetaInfo) {
            return TableKind.MAP;
        }
        if (info instanceof RegisteredKeyValueStateBackendMetaInfo<?, ?> state) {
            StateDescriptor.Type type = state.getStateType();
            if (type == StateDescriptor.Type.LIST) {
                return TableKind.LIST;
            }
            if (type == StateDescriptor.Type.MAP) {
                return TableKind.MAP;
            }
            if (type == StateDescriptor.Type.VALUE
                    || type == StateDescriptor.Type.REDUCING
                    || type == StateDescriptor.Type.AGGREGATING) {
                return TableKind.VALUE;
            }
        }
        throw unknown(info);
    }

    private static StateMigrationException unknown(RegisteredStateMetaInfoBase info) {
        return new StateMigrationException("expected value, list, map, reducing or aggregating state or timers, found "
                + info + ": Drey does not know this kind of state");
    }

    public int number() {
        return number;
    }

    public TableKind kind() {
        return kind;
    }

    public RegisteredStateMetaInfoBase info() {
        return info;
    }

    /** Takes what a registration says, or is about to say. */
    public void info(RegisteredStateMetaInfoBase newInfo) {
        info = newInfo;
        restored = null;
    }

    void restored(StateMetaInfoSnapshot snapshot) {
        restored = snapshot;
    }

    /**
     * What snapshots say of it. Of values that nobody has used since they were restored it is what was said of them
     * when they were written: a serializer that was made of that may say what it would write now, as Avro's does.
     */
    StateMetaInfoSnapshot snapshot() {
        return restored == null ? info.snapshot() : restored;
    }

    /** What canonical savepoints do to values: drop the expired ones. */
    public StateSnapshotTransformFactory<?> transforms() {
        return transforms;
    }

    public void transforms(StateSnapshotTransformFactory<?> newTransforms) {
        transforms = newTransforms;
    }

    public boolean isKeyValue() {
        return info instanceof RegisteredKeyValueStateBackendMetaInfo;
    }
}
