/** The registry: which workers there are, how they are, and which of them operators excluded. */
package io.drey.shuffle.registry;
