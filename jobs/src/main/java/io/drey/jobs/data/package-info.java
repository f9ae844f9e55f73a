/** The data set: flights, weather and aircraft, read from gzipped CSV files and checked while reading. */
package io.drey.jobs.data;
