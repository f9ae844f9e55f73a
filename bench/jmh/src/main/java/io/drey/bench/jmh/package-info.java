/** Runs the benchmarks of single operations and writes what they found as a table. */
package io.drey.bench.jmh;
