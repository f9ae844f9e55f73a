package io.drey.store.entry;

/** A table of a store: its number in keys and files, its name, and what its entries are. */
public record TableInfo(int number, String name, TableKind kind) {}
