/** The Flink state backend on Drey's store: what a user selects in Flink's configuration. */
package io.drey.flink.state;
