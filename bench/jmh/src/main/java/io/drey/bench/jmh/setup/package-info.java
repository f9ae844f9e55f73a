/** What benchmarks run in: folders, Flink's environment of a task without a cluster, and what they count beside time. */
package io.drey.bench.jmh.setup;
