package io.drey.flink.state.restore;

import io.drey.flink.state.snapshot.SharedFiles;
import io.drey.flink.state.table.StateTables;
import io.drey.store.Store;

/** The result of a restore: an open store, its tables, and the uploads that the next checkpoint may refer to. */
public record RestoredBackend(Store store, StateTables tables, SharedFiles sharedFiles) {}
