/** Manifests: what a checkpoint of one backend consists of, and the file format that says so. */
package io.drey.checkpoint.manifest;
