/** The generated job interval-join: two streams of rows joined within an interval by Flink's own operator. */
package io.drey.jobs.intervaljoin;
