/** What all files of the store have in common: an id, a header, reading and writing in large pieces. */
package io.drey.store.file;
