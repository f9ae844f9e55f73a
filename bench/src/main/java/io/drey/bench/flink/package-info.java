/**
 * The Flink inside this process, of the demo and of a comparison's cells: its settings, its job, its checkpoints, its
 * failures.
 */
package io.drey.bench.flink;
