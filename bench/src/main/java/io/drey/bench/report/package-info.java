/** The report of a comparison: one file for a browser, a table and a chart for the README, and the folder of dated results. */
package io.drey.bench.report;
