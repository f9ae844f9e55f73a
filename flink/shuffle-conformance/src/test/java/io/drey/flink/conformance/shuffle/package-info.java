/** Flink's own batch suites, run with a shuffle worker in the same process. */
package io.drey.flink.conformance.shuffle;
