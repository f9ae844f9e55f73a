/** Timer queues: ordered sets per key group in the store, with the smallest elements cached. */
package io.drey.flink.state.timer;
