/** What inspections found, as data, as text and as JSON. */
package io.drey.cli.inspect.report;
