/** Bytes, raw memory, hash, checksums, limits and error kinds, on the JDK alone. */
package io.drey.foundation;
