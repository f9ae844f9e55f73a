/** Packs: objects in the checkpoint storage that hold small files of several stores. */
package io.drey.flink.state.pack;
