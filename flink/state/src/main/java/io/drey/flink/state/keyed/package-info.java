/** The keyed state backend itself: registration and migration of states, key streams, life and death. */
package io.drey.flink.state.keyed;
