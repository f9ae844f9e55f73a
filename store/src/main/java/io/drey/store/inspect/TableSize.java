package io.drey.store.inspect;

import io.drey.store.entry.TableInfo;

/**
 * The size of a table of an image, as its files say without being read: what newer entries hide counts too.
 *
 * @param entries entries of all files, tombstones among them
 * @param untimed of these, those without a last access
 * @param bytes about how many bytes of the runs are the table's
 * @param medianAccess of the file with most entries; {@link io.drey.store.entry.Expiry#NOTHING} if it has none
 */
public record TableSize(TableInfo table, long entries, long untimed, long bytes, long medianAccess) {}
