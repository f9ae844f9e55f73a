/** The rules by which the store adapts itself: from measured numbers to a decision. */
package io.drey.store.tuning;
