/** Reading a version: the runs that may hold an entry, maps in batches, scans of snapshots. */
package io.drey.store.read;
