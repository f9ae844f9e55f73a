/** The generated job last-seen: when each type of event of a device was seen last, in a map per device. */
package io.drey.jobs.device;
