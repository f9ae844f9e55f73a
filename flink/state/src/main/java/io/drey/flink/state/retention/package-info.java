/** Retention in Flink's checkpoint storage: looks into directories of checkpoints, and deletes what nothing needs. */
package io.drey.flink.state.retention;
