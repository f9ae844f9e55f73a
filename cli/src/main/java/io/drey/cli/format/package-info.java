/** How the command line tool reads quantities, and how it writes JSON. */
package io.drey.cli.format;
