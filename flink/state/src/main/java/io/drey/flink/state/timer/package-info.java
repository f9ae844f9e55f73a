/** Timer queues: sets ordered by time, the next elements on the heap, the others in the store by buckets of time. */
package io.drey.flink.state.timer;
