/** The job last-seen: when each kind of event of an aircraft at an airport was seen last. */
package io.drey.jobs.lastseen;
