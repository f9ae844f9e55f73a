/** Flink's metrics of the embedded cluster, read in process while the job runs. */
package io.drey.bench.metric;
