package io.drey.flink.state.restore;

import io.drey.files.remote.Downloads;
import io.drey.flink.state.snapshot.SharedFiles;
import io.drey.flink.state.table.StateTables;
import io.drey.store.Store;

/**
 * The result of a restore: an open store, its tables, the uploads that the next checkpoint may refer to, the files
 * that are still to come, and a report.
 *
 * @param generation restores of checkpoints that are behind it, this one counted
 */
public record RestoredBackend(
        Store store,
        StateTables tables,
        SharedFiles sharedFiles,
        Downloads downloads,
        int generation,
        RestoreReport report) {}
