package io.drey.bench.probe;

import java.nio.file.Path;

/**
 * Processor time of the whole machine since the look before, as the first line of the kernel's {@code /proc/stat} tells
 * it:
 *
 * <pre>
 * cpu  user nice system idle iowait irq softirq steal guest guest_nice
 * </pre>
 *
 * Stolen time, which another machine on the same hardware had, is in it; that of guests is a part of user's.
 */
final class MachineTime {
    private static final Path STAT = Path.of("/proc/stat");
    private static final String ALL_CORES = "cpu ";
    private static final int IDLE_FIELD = 3;
    private static final int WAIT_FIELD = 4;
    private static final int FIELDS = 8;

    private final SmallFile reader = new SmallFile();
    private long before = -1;

    /** Seconds of all cores since the call before; null the first time, and where the system does not tell. */
    Double take() {
        String text = reader.read(STAT);
        long now = text == null ? -1 : busyTicks(text);
        Double seconds = before < 0 || now < 0 ? null : (now - before) / (double) ThreadTicks.PER_SECOND;
        before = now;
        return seconds;
    }

    /** Ticks in which a core did something, or -1 if the text is not of this form. */
    static long busyTicks(String stat) {
        if (!stat.startsWith(ALL_CORES)) {
            return -1;
        }
        String[] fields = stat.lines()
                .findFirst()
                .orElseThrow()
                .substring(ALL_CORES.length())
                .strip()
                .split(" ");
        if (fields.length < FIELDS) {
            return -1;
        }
        long busy = 0;
        for (int i = 0; i < FIELDS; i++) {
            busy += i == IDLE_FIELD || i == WAIT_FIELD ? 0 : Long.parseLong(fields[i]);
        }
        return busy;
    }
}
