/** One look into a snapshot, a local directory or a file. */
package io.drey.cli.inspect;
