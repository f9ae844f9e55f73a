/** What backends of a slot or of a process share, taken on lease: memory and background threads. */
package io.drey.flink.state.memory;
