/** Flink's shuffle service that keeps blocking exchanges with shuffle workers and leaves all others to Netty. */
package io.drey.flink.shuffle;
