/** The job weather-join: flights joined with the weather of their airport within an hour. */
package io.drey.jobs.weatherjoin;
