/** The generated job deduplicate: SQL's first row of every key, with a state that has a time to live. */
package io.drey.jobs.deduplicate;
