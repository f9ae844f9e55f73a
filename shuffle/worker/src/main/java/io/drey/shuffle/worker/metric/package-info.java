/** Metrics and health of a worker over HTTP. */
package io.drey.shuffle.worker.metric;
