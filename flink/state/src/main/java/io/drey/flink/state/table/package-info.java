/** How keyed state lies in the store: tables, addresses under the current key, and the bytes of an entry. */
package io.drey.flink.state.table;
