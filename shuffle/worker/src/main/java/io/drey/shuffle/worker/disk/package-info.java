/** Disks as the worker sees them: files that grow at their end and are read anywhere. */
package io.drey.shuffle.worker.disk;
