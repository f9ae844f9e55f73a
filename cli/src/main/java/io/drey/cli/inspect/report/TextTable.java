package io.drey.cli.inspect.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A table of texts whose columns line up. */
public final class TextTable {
    private final List<String[]> rows = new ArrayList<>();
    private final boolean[] right;

    /** A header; a name with a blank before it heads a column of numbers. */
    public TextTable(String... header) {
        right = new boolean[header.length];
        String[] names = new String[header.length];
        for (int i = 0; i < header.length; i++) {
            right[i] = header[i].startsWith(" ");
            names[i] = header[i].strip();
        }
        rows.add(names);
    }

    /** Adds a row; control characters, which a terminal may obey, become dots. */
    public TextTable row(String... cells) {
        rows.add(
                Stream.of(cells).map(cell -> cell.replaceAll("\\p{Cntrl}", ".")).toArray(String[]::new));
        return this;
    }

    public boolean isEmpty() {
        return rows.size() == 1;
    }

    /** The lines, each behind an indent; blanks at their ends are left out. */
    public List<String> lines(String indent) {
        int[] widths = new int[right.length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(indent);
            for (int i = 0; i < row.length; i++) {
                String pad = " ".repeat(widths[i] - row[i].length());
                line.append(right[i] ? pad + row[i] : row[i] + pad).append("  ");
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
