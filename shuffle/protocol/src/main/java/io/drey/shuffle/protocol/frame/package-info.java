/** Frames: the unit that two ends of a connection exchange, and the fields inside a control frame. */
package io.drey.shuffle.protocol.frame;
