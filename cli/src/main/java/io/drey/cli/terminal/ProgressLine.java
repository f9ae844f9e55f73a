package io.drey.cli.terminal;

import java.io.PrintWriter;

/**
 * Shows progress: on a terminal one line that is written over at every moment, elsewhere a line of its own for one
 * moment of a few, and none for what is over before. Any thread may use it.
 */
public final class ProgressLine {
    private static final String ERASE_LINE = "\r\u001B[K";
    private static final int COLUMNS_DEFAULT = 100;

    private final PrintWriter out;
    private final boolean terminal;
    private final int columns;
    private final int momentsBetweenLines;
    private long moments;
    private boolean open;

    /**
     * @param terminal whether the line can be written over
     * @param columns width of the terminal
     * @param momentsBetweenLines if it cannot, one of so many moments is shown
     */
    public ProgressLine(PrintWriter out, boolean terminal, int columns, int momentsBetweenLines) {
        this.out = out;
        this.terminal = terminal;
        this.columns = columns;
        this.momentsBetweenLines = momentsBetweenLines;
    }

    /** For whatever the output of this process is. */
    public static ProgressLine onConsole(PrintWriter out, int momentsBetweenLines) {
        String columns = System.getenv("DREY_COLUMNS");
        boolean known = columns != null && columns.matches("[1-9]\\d{1,3}");
        return new ProgressLine(
                out,
                System.console() != null,
                known ? Integer.parseInt(columns) : COLUMNS_DEFAULT,
                momentsBetweenLines);
    }

    /** How things are at this moment. */
    public synchronized void show(String line) {
        if (terminal) {
            out.print(ERASE_LINE + (line.length() < columns ? line : line.substring(0, columns - 1)));
            out.flush();
            open = true;
        } else if (++moments % momentsBetweenLines == 0) {
            out.println(line);
            out.flush();
        }
    }

    /** A message that stays. */
    public synchronized void say(String message) {
        end();
        out.println(message);
        out.flush();
    }

    /** A message that the next one replaces, on a terminal. */
    public synchronized void sayBriefly(String message) {
        if (terminal) {
            out.print(ERASE_LINE + message);
            open = true;
        } else {
            out.println(message);
        }
        out.flush();
    }

    /** Leaves a clean line. */
    public synchronized void end() {
        if (open) {
            out.print(ERASE_LINE);
            out.flush();
            open = false;
        }
    }
}
