package io.drey.bench.format;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them: {@code 12.3 MB}, {@code 1,234,567}, {@code 152k}, {@code 2.05 min}. */
public final class Quantity {
    private static final String[] BYTE_UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};
    private static final MathContext THREE_DIGITS = new MathContext(3);

    /** Below this a number is shown as a power of ten. */
    private static final double PLAIN_MIN = 1e-4;

    private Quantity() {}

    /** A count with commas. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A count with the noun that it counts. */
    public static String counted(long count, String one, String many) {
        return count(count) + " " + (count == 1 ? one : many);
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

    /**
     * A number with three significant digits, and commas: {@code 0.0123}, {@code 1.20}, {@code 123}, {@code 12,300}.
     */
    public static String number(double value) {
        if (value == 0) {
            return "0";
        }
        BigDecimal rounded = new BigDecimal(value).round(THREE_DIGITS);
        if (rounded.abs().doubleValue() < PLAIN_MIN) {
            return String.format(Locale.ROOT, "%.2e", value);
        }
        int digitsAfterPoint = Math.max(0, rounded.precision() < 3 ? decimalsFor(value) : rounded.scale());
        return String.format(Locale.ROOT, "%,." + digitsAfterPoint + "f", rounded);
    }

    /** The same without zeros at the end: {@code 0.5}, {@code 5}, {@code 1,000}. */
    public static String brief(double value) {
        String number = number(value);
        return number.contains(".") && !number.contains("e") ? number.replaceAll("\\.?0+$", "") : number;
    }

    /** So many decimals that three digits show, when trailing zeros were cut. */
    private static int decimalsFor(double value) {
        return 2 - (int) Math.floor(Math.log10(Math.abs(value)));
    }

    /** Bytes in units of 1024 with three significant digits. */
    public static String size(double bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1000 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return number(value) + " " + BYTE_UNITS[unit];
    }

    /** Milliseconds with three significant digits, as milliseconds, seconds or minutes. */
    public static String millis(double millis) {
        if (millis < 1_000) {
            return number(millis) + " ms";
        }
        return millis < 120_000 ? number(millis / 1_000) + " s" : number(millis / 60_000) + " min";
    }
}
