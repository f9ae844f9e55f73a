/** Files that fail when a test says so. */
package io.drey.files.fault;
