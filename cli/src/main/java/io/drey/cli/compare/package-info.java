/** One comparison: its options, its progress, and what it came to. */
package io.drey.cli.compare;
