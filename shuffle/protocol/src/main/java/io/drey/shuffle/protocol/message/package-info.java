/** Messages: what clients, workers, registries and operators say to each other in control frames. */
package io.drey.shuffle.protocol.message;
