/** Maps in the log: small ones inline in one record, large ones linked, and ranges of both. */
package io.drey.store.log.map;
