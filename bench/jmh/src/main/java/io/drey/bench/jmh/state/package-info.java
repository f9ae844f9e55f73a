/** Benchmarks at Flink's state interfaces: keyed backends opened without a cluster, driven as an operator does. */
package io.drey.bench.jmh.state;
