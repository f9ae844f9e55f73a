/** Flink's own suites for state backends, from its published test jars, with Drey as the backend under test. */
package io.drey.flink.conformance;
