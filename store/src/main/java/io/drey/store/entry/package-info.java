/** The vocabulary of the store: how an entry is addressed, what kinds of entries there are, what a table is. */
package io.drey.store.entry;
