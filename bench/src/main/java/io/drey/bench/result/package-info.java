/** What a comparison found out, as it is written to JSON: the vocabulary of all rooms of this module. */
package io.drey.bench.result;
