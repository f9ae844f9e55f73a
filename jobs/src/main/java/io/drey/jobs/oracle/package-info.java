/** What the jobs must produce, computed in plain Java: no Flink, and not a line of code shared with the jobs. */
package io.drey.jobs.oracle;
