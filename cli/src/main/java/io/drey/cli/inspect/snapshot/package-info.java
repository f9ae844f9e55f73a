/** Checkpoints and savepoints: their operators, and the keyed state of each subtask in whatever format it is. */
package io.drey.cli.inspect.snapshot;
