/** List state, appended to without reading. */
package io.drey.flink.state.list;
