/** Blocks: one network buffer with its header, as it is sent, stored and checked. */
package io.drey.shuffle.protocol.block;
