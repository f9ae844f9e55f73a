/** The end of every generated job: output rows summed by stretches of event time, to be compared between runs. */
package io.drey.jobs.digest;
