/** A line of progress, the wish to stop, and sentences for the user of a command. */
package io.drey.cli.terminal;
