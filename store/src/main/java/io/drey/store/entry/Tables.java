package io.drey.store.entry;

import io.drey.foundation.DreyException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables of a store by name; numbers are given once and never again. One thread. */
public final class Tables {
    /** Flink counts the states of a checkpoint so far. */
    static final int NAMES_MAX = Short.MAX_VALUE;

    private final Map<String, TableInfo> byName = new HashMap<>();
    private int next;

    public int numberOf(String name, TableKind kind) {
        TableInfo table = byName.get(name);
        if (table == null) {
            if (next >= NAMES_MAX) {
                throw new DreyException(
                        "expected at most " + NAMES_MAX + " states in an operator, found one more: " + name);
            }
            table = new TableInfo(next, name, kind);
            add(table);
        }
        if (table.kind() != kind) {
            throw new DreyException("expected table " + name + " to hold entries of kind " + table.kind() + ", found "
                    + kind + ": give the state another name");
        }
        return table.number();
    }

    public TableInfo byName(String name) {
        return byName.get(name);
    }

    public boolean hasNumber(int number) {
        return byName.values().stream().anyMatch(table -> table.number() == number);
    }

    public void add(TableInfo table) {
        byName.put(table.name(), table);
        next = Math.max(next, table.number() + 1);
    }

    /** All tables in the order of their numbers. */
    public List<TableInfo> all() {
        List<TableInfo> tables = new ArrayList<>(byName.values());
        tables.sort(Comparator.comparingInt(TableInfo::number));
        return tables;
    }
}
