/** A shuffle worker: keeps partitions of blocking exchanges in files, and serves them. */
package io.drey.shuffle.worker;
