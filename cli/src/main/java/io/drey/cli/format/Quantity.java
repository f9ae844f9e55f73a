package io.drey.cli.format;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them: {@code 12.3 MB}, {@code 1,234,567}, {@code 152k}, {@code 2 min 03 s}. */
public final class Quantity {
    private static final String[] BYTE_UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};

    private Quantity() {}

    /** Bytes in units of 1024, three digits or so. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 || value >= 100
                ? String.format(Locale.ROOT, "%.0f %s", value, BYTE_UNITS[unit])
                : String.format(Locale.ROOT, "%.1f %s", value, BYTE_UNITS[unit]);
    }

    /** A count with commas. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A count in thousands or millions, short enough for a progress line. */
    public static String shortCount(double count) {
        if (count >= 1e6) {
            return String.format(Locale.ROOT, "%.1fM", count / 1e6);
        }
        return count >= 1e4
                ? String.format(Locale.ROOT, "%.0fk", count / 1e3)
                : String.format(Locale.ROOT, "%.0f", count);
    }

    /** Seconds with as many digits as help. */
    public static String duration(Duration duration) {
        long millis = duration.toMillis();
        if (millis < 1000) {
            return millis + " ms";
        }
        if (millis < 120_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        return String.format(Locale.ROOT, "%d min %02d s", duration.toMinutes(), duration.toSecondsPart());
    }
}
