/** Feeds of any size: events that are a pure function of a seed and their position, without end. */
package io.drey.jobs.generate;
