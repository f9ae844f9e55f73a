/** The object cache, T0: deserialized values in front of the store, and the choice for which states it pays. */
package io.drey.keyed.cache;
