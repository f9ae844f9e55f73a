/** Comparisons: the same jobs on several state backends, measured in one interleaved run, and the report of it. */
package io.drey.bench;
