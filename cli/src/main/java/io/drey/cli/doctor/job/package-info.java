/** A running job, by Flink's REST API, and what limits it. */
package io.drey.cli.doctor.job;
