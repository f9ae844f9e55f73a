package io.drey.cli.inspect.row;

import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.BackendStateType;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonOptionsKeys;

/** A form of keyed state. */
public enum StateForm {
    VALUE,
    LIST,
    MAP,
    REDUCING,
    AGGREGATING,
    TIMERS,
    /** It is not known which. */
    BYTES;

    static StateForm of(StateMetaInfoSnapshot info) {
        if (info.getBackendStateType() == BackendStateType.PRIORITY_QUEUE) {
            return TIMERS;
        }
        String name = info.getOption(CommonOptionsKeys.KEYED_STATE_TYPE);
        for (StateForm form : values()) {
            if (form.name().equals(name)) {
                return form;
            }
        }
        return BYTES;
    }

    /** In lower case. */
    public String text() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
