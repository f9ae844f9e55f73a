/** Looks at this process: processor time by group of threads, memory, garbage collection, reads and writes, files. */
package io.drey.bench.probe;
