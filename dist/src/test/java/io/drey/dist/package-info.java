/** The jar that ships, opened, and run by a Flink of separate operating-system processes. */
package io.drey.dist;
