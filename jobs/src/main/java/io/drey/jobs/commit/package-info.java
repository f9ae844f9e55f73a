/** An exactly-once sink: rows in files that become visible with checkpoints, and how long after their events. */
package io.drey.jobs.commit;
