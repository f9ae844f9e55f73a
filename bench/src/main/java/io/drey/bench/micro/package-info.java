/** Reads JMH's results of single operations, puts them beside each other by contender, and shows them as a table. */
package io.drey.bench.micro;
