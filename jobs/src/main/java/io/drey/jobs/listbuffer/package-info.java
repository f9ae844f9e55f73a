/** The generated job list-buffer: elements appended to a list per key until a timer reads all of it. */
package io.drey.jobs.listbuffer;
