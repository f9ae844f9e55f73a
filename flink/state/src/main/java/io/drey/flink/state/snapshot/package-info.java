/** Checkpoints and native savepoints: which files are uploaded, what is referenced, what is kept locally. */
package io.drey.flink.state.snapshot;
