package io.drey.cli.demo;

import org.apache.flink.core.execution.SavepointFormatType;

/** The state backends to choose from, as Flink's configuration names them. */
public enum Backend {
    drey("io.drey.flink.state.DreyStateBackendFactory", SavepointFormatType.CANONICAL),
    rocksdb("rocksdb", SavepointFormatType.CANONICAL),
    hashmap("hashmap", SavepointFormatType.CANONICAL),
    forst("forst", SavepointFormatType.NATIVE);

    private final String type;
    private final SavepointFormatType savepoints;

    Backend(String type, SavepointFormatType savepoints) {
        this.type = type;
        this.savepoints = savepoints;
    }

    /** The form that other backends can read, if this one can write it. */
    SavepointFormatType savepoints() {
        return savepoints;
    }

    /** The value of {@code state.backend.type}. */
    String type() {
        return type;
    }
}
