/** Merging runs: what to merge, and doing it. */
package io.drey.store.merge;
