/** Bytes of entries: key, namespace and map key of keyed state. */
package io.drey.keyed.codec;
