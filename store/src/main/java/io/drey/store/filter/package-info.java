/** Bloom filters that answer whether a run may hold an entry. */
package io.drey.store.filter;
