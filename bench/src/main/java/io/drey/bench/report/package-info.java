/** The report of a comparison: one file for a browser, the folder of published results, and a table for the README. */
package io.drey.bench.report;
