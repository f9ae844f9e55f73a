/** The run of a demo: an embedded Flink, a job on it, its progress and its report. */
package io.drey.cli.demo;
