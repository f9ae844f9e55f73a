/** Compacting runs: what to compact, and doing it. */
package io.drey.store.compaction;
