/** Memory for data under way: a bounded pool of slabs, and streams of bytes in them. */
package io.drey.shuffle.worker.memory;
