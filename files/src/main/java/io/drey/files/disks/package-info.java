/** Several directories as one: where a file goes, how fast and how full each is. */
package io.drey.files.disks;
