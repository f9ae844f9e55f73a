/** Which runs make up the store, and the files that they pin. */
package io.drey.store.version;
