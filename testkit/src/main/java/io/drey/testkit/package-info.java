/**
 * What tests of all modules share: seeded random cases, a shrinker of failing histories and a runner of text scripts.
 */
package io.drey.testkit;
