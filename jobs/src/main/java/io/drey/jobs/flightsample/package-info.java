/** The job flight-sample: everything known about a flight, collected in one object and emitted by a timer. */
package io.drey.jobs.flightsample;
