/** The embedded log-structured state store: its door, what it is opened with, and what it is restored from. */
package io.drey.store;
