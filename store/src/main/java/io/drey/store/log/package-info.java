/** The hybrid log: write buffer, change log and first level of the store in one, outside the heap. */
package io.drey.store.log;
