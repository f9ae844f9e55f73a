/** When a checkpoint is prepared, before its barrier. */
package io.drey.checkpoint.prepare;
