/** A job that checks its own state, for a cluster whose task managers are killed. */
package io.drey.dist.crash;
