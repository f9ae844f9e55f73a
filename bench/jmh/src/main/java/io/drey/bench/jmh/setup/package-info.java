/** The surroundings of benchmarks: folders, Flink's environment of a task without a cluster, and counts beside time. */
package io.drey.bench.jmh.setup;
