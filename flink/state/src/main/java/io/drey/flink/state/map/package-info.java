/** Map state, iterated in byte order of the serialized map key. */
package io.drey.flink.state.map;
