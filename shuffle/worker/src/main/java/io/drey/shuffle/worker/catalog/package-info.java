/** The partitions that a worker has: in which directory, whether committed, and how long they stay. */
package io.drey.shuffle.worker.catalog;
