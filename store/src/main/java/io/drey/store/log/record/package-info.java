/** Records of the log: their bytes, pages, index and epochs. */
package io.drey.store.log.record;
