/** Counts of what the store did, as numbers out. */
package io.drey.store.stats;
