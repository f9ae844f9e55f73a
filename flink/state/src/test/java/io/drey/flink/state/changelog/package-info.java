/** Tests of the changelog storage. */
package io.drey.flink.state.changelog;
