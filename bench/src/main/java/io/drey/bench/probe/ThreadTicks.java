package io.drey.bench.probe;

/**
 * The processor time of a thread or process, as the kernel's {@code stat} file tells it.
 *
 * <pre>
 * 4711 (C2 CompilerThre) S ppid … (12 numbers) utime stime …
 * </pre>
 *
 * @param name at most 15 characters; may contain blanks and parentheses
 * @param ticks in user and system mode, {@link #PER_SECOND} a second
 */
record ThreadTicks(String name, long ticks) {
    /** Linux shows ticks of this length to programs on every machine, whatever it counts in itself. */
    static final int PER_SECOND = 100;

    /** Of the fields after the name, counted from the state of the thread as 0. */
    private static final int USER_FIELD = 11;

    /** Null if the text is not of this form. */
    static ThreadTicks parse(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        if (open < 0 || close < open) {
            return null;
        }
        String[] fields = stat.substring(close + 1).strip().split(" ", USER_FIELD + 3);
        if (fields.length <= USER_FIELD + 1) {
            return null;
        }
        try {
            return new ThreadTicks(
                    stat.substring(open + 1, close),
                    Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
