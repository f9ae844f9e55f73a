/** One audit of directories of checkpoints: what is there, who needs it, and what was deleted. */
package io.drey.cli.audit;
