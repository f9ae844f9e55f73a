/** From memory to a run: frozen records and values too large for the log. */
package io.drey.store.flush;
