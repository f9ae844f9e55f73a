/** What a command that runs for a while shares with its user: a line of progress, and the wish to stop. */
package io.drey.cli.terminal;
