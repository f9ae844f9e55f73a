/** Reads sizes and times as people write them. */
package io.drey.cli.format;
