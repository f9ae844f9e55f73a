/** Restoring: which parents' checkpoints make up a range of key groups. */
package io.drey.checkpoint.restore;
