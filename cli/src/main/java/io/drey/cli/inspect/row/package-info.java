/** Entries of states, one by one: as bytes, as text, as lines of an export. */
package io.drey.cli.inspect.row;
