/** Looks at the process of a cell: processor time by group of threads, memory, garbage collection, reads and writes, files. */
package io.drey.bench.probe;
