/** The findings of a comparison, as they are written to JSON: the vocabulary of all rooms of this module. */
package io.drey.bench.result;
