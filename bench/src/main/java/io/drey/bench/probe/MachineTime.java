package io.drey.bench.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Processor time of the whole machine since the look before, as the first line of the kernel's {@code /proc/stat} tells
 * it:
 *
 * <pre>
 * cpu  user nice system idle iowait irq softirq steal guest guest_nice
 * </pre>
 *
 * Stolen time, which another machine on the same hardware had, is in it; that of guests is a part of user's. In a
 * container that has only some of the cores, the file is about more than the machine that it sees, and tells nothing.
 */
final class MachineTime {
    private static final Path STAT = Path.of("/proc/stat");
    private static final String ALL_CORES = "cpu ";
    private static final Pattern CORE = Pattern.compile("^cpu\\d", Pattern.MULTILINE);
    private static final int IDLE_FIELD = 3;
    private static final int WAIT_FIELD = 4;
    private static final int FIELDS = 8;

    private final SmallFile reader = new SmallFile();
    private final boolean isWhole;
    private long before = -1;

    MachineTime() {
        isWhole = cores(whole()) == Runtime.getRuntime().availableProcessors();
    }

    /** The file with the lines of all cores, or nothing. */
    private static String whole() {
        try {
            return Files.readString(STAT);
        } catch (IOException e) {
            // Only Linux has it.
            return "";
        }
    }

    /** Cores that the text has a line of. */
    static long cores(String stat) {
        return CORE.matcher(stat).results().count();
    }

    /** Seconds of all cores since the call before; null the first time, and where the system does not tell. */
    Double take() {
        String text = isWhole ? reader.read(STAT) : null;
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
