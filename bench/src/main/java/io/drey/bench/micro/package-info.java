/** What single operations cost: JMH's results read, put beside each other by contender, and shown as a table. */
package io.drey.bench.micro;
