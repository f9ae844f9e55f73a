package io.drey.bench.report;

import io.drey.bench.format.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts values on a chart's axis, between 0 and 1, and chooses those that are written beside it. */
final class Axis {
    /** A value that is written beside the axis. */
    record Tick(double value, String label) {}

    /** Series whose values differ more than this are unreadable on a linear axis. */
    static final double LOG_FROM = 20;

    private static final int TICKS = 5;

    /** On more decades than this there is no room for 2 and 5. */
    private static final int DETAILED_DECADES = 2;

    private final boolean logarithmic;
    private final double low;
    private final double high;
    private final boolean zeroAtLow;

    private Axis(boolean logarithmic, double low, double high, boolean zeroAtLow) {
        this.logarithmic = logarithmic;
        this.low = low;
        this.high = high;
        this.zeroAtLow = zeroAtLow;
    }

    /** From 0 to at least this value. */
    static Axis linear(double max) {
        double top = max > 0 ? max : 1;
        double step = step(top);
        return new Axis(false, 0, Math.ceil(top / step - 1e-9) * step, false);
    }

    /** From 0 to exactly this value. */
    static Axis exact(double max) {
        return new Axis(false, 0, max > 0 ? max : 1, false);
    }

    /**
     * Whole decades, or parts of them, around these values.
     *
     * @param min smallest value above zero
     * @param withZero whether there are zeros, which get a place below the smallest value
     */
    static Axis logarithmic(double min, double max, boolean withZero) {
        double low = Math.pow(10, Math.floor(Math.log10(min) + 1e-9));
        double high = Math.pow(10, Math.ceil(Math.log10(max) - 1e-9));
        for (double part : new double[] {0.2, 0.5}) {
            if (max <= high * part) {
                high *= part;
                break;
            }
        }
        if (high <= low) {
            high = low * 10;
        }
        return new Axis(true, withZero ? low / 10 : low, high, withZero);
    }

    boolean isLogarithmic() {
        return logarithmic;
    }

    /** The place of a value; what is beyond an end is put there. */
    double place(double value) {
        double place;
        if (logarithmic) {
            place = value <= low ? 0 : Math.log(value / low) / Math.log(high / low);
        } else {
            place = (value - low) / (high - low);
        }
        return Math.max(0, Math.min(1, place));
    }

    List<Tick> ticks() {
        return logarithmic ? logarithmicTicks() : linearTicks();
    }

    private List<Tick> linearTicks() {
        double step = step(high);
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i * step <= high * (1 + 1e-9); i++) {
            ticks.add(new Tick(i * step, label(i * step)));
        }
        return ticks;
    }

    private List<Tick> logarithmicTicks() {
        boolean detailed = Math.log10(high / low) <= DETAILED_DECADES + 1e-9;
        List<Tick> ticks = new ArrayList<>();
        if (zeroAtLow) {
            ticks.add(new Tick(low, "0"));
        }
        double first = Math.pow(10, Math.floor(Math.log10(low) + 1e-9));
        for (double decade = first; decade <= high * (1 + 1e-9); decade *= 10) {
            for (double part : detailed ? new double[] {1, 2, 5} : new double[] {1}) {
                double value = decade * part;
                boolean inside = value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9);
                if (inside && !(zeroAtLow && value < low * 5)) {
                    ticks.add(new Tick(value, label(value)));
                }
            }
        }
        return ticks;
    }

    private static double step(double max) {
        double rough = max / TICKS;
        double decade = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double part : new double[] {1, 2, 5}) {
            if (rough <= decade * part * (1 + 1e-9)) {
                return decade * part;
            }
        }
        return decade * 10;
    }

    private static String label(double value) {
        if (value >= 1e9) {
            return plain(value / 1e9) + "G";
        }
        if (value >= 1e6) {
            return plain(value / 1e6) + "M";
        }
        return value >= 1e4 ? plain(value / 1e3) + "k" : plain(value);
    }

    private static String plain(double value) {
        if (value != 0 && Math.abs(value) < 1e-3) {
            return Quantity.number(value);
        }
        String text = String.format(Locale.ROOT, "%,.3f", value);
        return text.replaceAll("\\.?0+$", "");
    }
}
