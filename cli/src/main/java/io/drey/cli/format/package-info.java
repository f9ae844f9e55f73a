/** How the command line tool shows and reads quantities, and how it writes JSON. */
package io.drey.cli.format;
