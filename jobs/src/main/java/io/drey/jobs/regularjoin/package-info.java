/** The generated job regular-join: SQL's join of two changing tables without unique keys, whole rows as map keys. */
package io.drey.jobs.regularjoin;
