/** Jobs whose checkpoints lie in an object store. */
package io.drey.flink.objects;
