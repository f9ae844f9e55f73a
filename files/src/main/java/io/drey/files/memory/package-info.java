/** Files in memory that lose what was not synced: for tests of crashes. */
package io.drey.files.memory;
