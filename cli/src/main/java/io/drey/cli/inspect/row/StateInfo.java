package io.drey.cli.inspect.row;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;

/**
 * A state or timer queue of an operator, with what reads its bytes.
 *
 * @param namespace null for timers, or if it is not known
 * @param key null, as the others, if the classes of the job are needed and not there: bytes stay bytes
 */
public record StateInfo(
        String name, StateForm form, TypeSerializer<?> key, TypeSerializer<?> namespace, TypeSerializer<?> value) {

    /** A state of which only name and form are known. */
    public static StateInfo unread(String name, StateForm form) {
        return new StateInfo(name, form, null, null, null);
    }

    /** The states of a backend, in the order of its numbers for them. */
    public static List<StateInfo> of(KeyedBackendSerializationProxy<?> proxy) {
        TypeSerializer<?> key = proxy.getKeySerializerSnapshot().restoreSerializer();
        List<StateInfo> states = new ArrayList<>();
        for (StateMetaInfoSnapshot info : proxy.getStateMetaInfoSnapshots()) {
            states.add(new StateInfo(
                    info.getName(),
                    StateForm.of(info),
                    key,
                    serializer(info, CommonSerializerKeys.NAMESPACE_SERIALIZER),
                    serializer(info, CommonSerializerKeys.VALUE_SERIALIZER)));
        }
        return states;
    }

    private static TypeSerializer<?> serializer(StateMetaInfoSnapshot info, CommonSerializerKeys which) {
        TypeSerializerSnapshot<?> snapshot = info.getTypeSerializerSnapshot(which);
        return snapshot == null ? null : snapshot.restoreSerializer();
    }

    public String keyType() {
        return TypeText.of(key);
    }

    public String namespaceType() {
        return form == StateForm.TIMERS ? "none" : TypeText.of(namespace);
    }

    public String valueType() {
        return TypeText.of(value);
    }

    /** Whether values carry a last access. */
    public boolean hasTtl() {
        return TypeText.hasTtl(value);
    }
}
