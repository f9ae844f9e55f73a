/** Files turned into rows and findings, for checks and tools. */
package io.drey.store.inspect;
