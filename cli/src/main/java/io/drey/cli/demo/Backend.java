package io.drey.cli.demo;

import org.apache.flink.core.execution.SavepointFormatType;

/** The state backends to choose from. */
enum Backend {
    drey("io.drey.flink.state.DreyStateBackendFactory"),
    rocksdb("rocksdb"),
    hashmap("hashmap"),
    forst("forst");

    /** The value of {@code state.backend.type}. */
    final String type;

    Backend(String type) {
        this.type = type;
    }

    /** The form that other backends can read, if this one can write it. */
    SavepointFormatType savepoints() {
        return this == forst ? SavepointFormatType.NATIVE : SavepointFormatType.CANONICAL;
    }
}
