/** Timers of a queue in order: the next ones on the heap, the others as journals in the store. */
package io.drey.keyed.timer;
