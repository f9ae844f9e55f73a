/** The end of every job: result rows are counted and summed exactly once, whatever their order. */
package io.drey.jobs.tally;
