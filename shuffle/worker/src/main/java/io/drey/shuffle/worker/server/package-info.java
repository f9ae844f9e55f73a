/** Connections: what clients ask for, and what they are answered. */
package io.drey.shuffle.worker.server;
