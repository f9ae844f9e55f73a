/** This machine and a configuration of Flink, and what does not fit together. */
package io.drey.cli.doctor.host;
