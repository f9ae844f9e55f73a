/** Value logs: large values in immutable files of their own, which entries of runs point to. */
package io.drey.store.value;
