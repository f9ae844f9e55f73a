/** Flink's canonical savepoint format: the rows that every backend writes and reads. */
package io.drey.flink.state.canonical;
