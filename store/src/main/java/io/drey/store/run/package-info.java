/** Runs: immutable files of entries in hash order. */
package io.drey.store.run;
