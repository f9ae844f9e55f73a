/** Decides which cells a comparison consists of and in which order they run; runs nothing. */
package io.drey.bench.plan;
