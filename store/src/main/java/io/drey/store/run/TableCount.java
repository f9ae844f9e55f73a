package io.drey.store.run;

/** What a run holds of a table. */
public record TableCount(int table, long entries, long groupTombstones) {}
