/** The drey command: one class per subcommand. */
package io.drey.cli;
