/** Metrics and health of a worker over HTTP and JMX. */
package io.drey.shuffle.worker.metric;
