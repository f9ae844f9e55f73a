/** The memory of a slot, and who may hold how much of it. */
package io.drey.store.memory;
