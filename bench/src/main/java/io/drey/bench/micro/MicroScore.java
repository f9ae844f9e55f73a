package io.drey.bench.micro;

/**
 * The cost of one operation for a contender, medians over iterations; -1 where it was not measured.
 *
 * @param nanos time
 * @param cpuNanos processor time of the thread that did it
 * @param heapBytes bytes allocated on the heap
 * @param reads read calls
 */
record MicroScore(double nanos, double cpuNanos, double heapBytes, double reads) {}
