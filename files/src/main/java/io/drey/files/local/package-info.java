/** Files in one directory of a local disk, also with direct I/O. */
package io.drey.files.local;
