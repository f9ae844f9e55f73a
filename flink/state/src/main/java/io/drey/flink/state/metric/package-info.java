/**
 * What operators of Flink see of their state as metrics: counts and samples of each state, and the figures of the
 * store.
 */
package io.drey.flink.state.metric;
