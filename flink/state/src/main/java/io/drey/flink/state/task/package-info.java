/** The task that owns a backend: its thread, its mailbox and its local directory. */
package io.drey.flink.state.task;
