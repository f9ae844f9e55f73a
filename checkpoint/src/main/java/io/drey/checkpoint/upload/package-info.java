/** Uploads: which files a checkpoint may re-use and which it must upload, and moving many of them at once. */
package io.drey.checkpoint.upload;
