/** Runs one cell of a comparison: a job on a contender, on an embedded Flink, in a virtual machine of its own. */
package io.drey.bench.cell;
