/** TPC-H: its tables as files, its queries in Flink's SQL. */
package io.drey.bench.tpch;
