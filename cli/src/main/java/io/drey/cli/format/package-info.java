/** How the command line tool reads sizes and times. */
package io.drey.cli.format;
