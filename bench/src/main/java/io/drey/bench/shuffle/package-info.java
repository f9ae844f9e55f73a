/** Shuffle services compared: a Flink and shuffle workers in processes of their own, and the jobs that they run in turn. */
package io.drey.bench.shuffle;
