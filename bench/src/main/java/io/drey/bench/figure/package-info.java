/** Makes figures of raw numbers: medians with their spread, ratios, and a verdict on the outputs. */
package io.drey.bench.figure;
