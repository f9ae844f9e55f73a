/** The loop that owns a disk: it writes what waits in memory, and reads for all readers in one sweep after another. */
package io.drey.shuffle.worker.device;
