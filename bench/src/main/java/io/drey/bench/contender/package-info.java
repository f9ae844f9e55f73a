/** State backends with their configuration, those that are known here and those that a user names. */
package io.drey.bench.contender;
