/** Opens a store on what a checkpoint or savepoint left: downloads, local copies, canonical rows. */
package io.drey.flink.state.restore;
