/** Retention: names that say which checkpoints may need a file, and what of a job's directory nothing needs. */
package io.drey.checkpoint.retention;
