/** Looks after open backends: what a listener is told of them, and the signs of trouble that it is warned of. */
package io.drey.flink.state.watch;
