package io.drey.store.tuning;

/**
 * Between which sizes of values the threshold of a table moves, see {@link ValuePlacement}.
 *
 * @param bytesStart where it starts
 * @param bytesMin values smaller than this are never separated
 * @param bytesMax if separating does not pay for values of this size, none but huge ones are separated
 */
public record PlacementLimits(int bytesStart, int bytesMin, int bytesMax) {
    /** The limits that ship. */
    public static final PlacementLimits SHIPPED = new PlacementLimits(1 << 10, 256, 4 << 10);

    public PlacementLimits {
        if (bytesMin < 0 || bytesStart < bytesMin || bytesMax < bytesStart) {
            throw new IllegalArgumentException("expected 0 <= bytesMin <= bytesStart <= bytesMax, found " + bytesMin
                    + ", " + bytesStart + ", " + bytesMax);
        }
    }
}
