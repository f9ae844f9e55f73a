/** The options of the state backend: their names, their checks, and the settings that come out. */
package io.drey.flink.state.options;
