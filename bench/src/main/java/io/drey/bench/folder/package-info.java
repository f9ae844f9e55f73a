/** Trees of files of which others write and delete some meanwhile. */
package io.drey.bench.folder;
