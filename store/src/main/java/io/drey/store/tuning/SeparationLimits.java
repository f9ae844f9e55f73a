package io.drey.store.tuning;

/**
 * Between which sizes of values the threshold of a table moves, see {@link SeparationRule}.
 *
 * @param bytesStart where it starts
 * @param bytesMin values smaller than this are never separated
 * @param bytesMax if separating does not pay for values of this size, none is separated
 */
public record SeparationLimits(int bytesStart, int bytesMin, int bytesMax) {
    /** The limits that ship. */
    public static final SeparationLimits SHIPPED = new SeparationLimits(512, 256, 4 << 10);

    public SeparationLimits {
        if (bytesMin < 0 || bytesStart < bytesMin || bytesMax < bytesStart) {
            throw new IllegalArgumentException("expected 0 <= bytesMin <= bytesStart <= bytesMax, found " + bytesMin
                    + ", " + bytesStart + ", " + bytesMax);
        }
    }
}
