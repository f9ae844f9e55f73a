/** The one source of all jobs: a feed of events emitted split by split, exactly once. */
package io.drey.jobs.feed;
