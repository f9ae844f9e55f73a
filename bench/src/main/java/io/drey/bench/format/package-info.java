/** Shows quantities to people, on the terminal and in reports. */
package io.drey.bench.format;
