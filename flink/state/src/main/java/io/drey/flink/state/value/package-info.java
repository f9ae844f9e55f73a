/** States of one value under a key and namespace: value, reducing and aggregating state. */
package io.drey.flink.state.value;
