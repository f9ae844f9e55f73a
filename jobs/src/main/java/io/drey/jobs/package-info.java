/** The Flink jobs of demo and comparison, chosen by name; they know Flink's public API and no state backend. */
package io.drey.jobs;
