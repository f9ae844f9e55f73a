/** Files of snapshots and local directories, recognized and opened to be read only. */
package io.drey.cli.inspect.file;
