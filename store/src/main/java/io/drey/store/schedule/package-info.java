/** Background jobs of all stores of a process. */
package io.drey.store.schedule;
