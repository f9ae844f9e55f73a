/** One comparison: its options, its run, its files, and what it came to. */
package io.drey.cli.compare;
