package io.drey.store.run;

/**
 * The number of a table's entries in a run, and their last accesses.
 *
 * @param untimed values and appends whose last access is not known
 * @param medianAccess at least about half of the other ones were last accessed then or before
 * @param latestAccess the latest access of all, {@link io.drey.store.entry.Expiry#NEVER} if any is untimed, {@link
 *     io.drey.store.entry.Expiry#NOTHING} if there are only tombstones
 */
public record TableCount(
        int table, long entries, long rowTombstones, long untimed, long medianAccess, long latestAccess) {}
