/** Flink's changelog over any state backend, {@code state.changelog.storage: drey}: what Flink calls DSTL elsewhere. */
package io.drey.flink.state.changelog;
