/** What the raw numbers of a comparison come to: figures with their spread, ratios, and whether all outputs agree. */
package io.drey.bench.figure;
