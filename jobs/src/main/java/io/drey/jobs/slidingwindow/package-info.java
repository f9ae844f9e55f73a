/** The generated job sliding-window: aggregates per key over windows of twelve slides. */
package io.drey.jobs.slidingwindow;
