/**
 * Runs a planned comparison: one process after the other, on one disk, with one file that always holds what is known.
 */
package io.drey.bench.run;
