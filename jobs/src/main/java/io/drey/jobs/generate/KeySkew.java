package io.drey.jobs.generate;

import java.util.Locale;

/** The distribution of keys: says how often the same ones come back. */
public enum KeySkew {
    /** Every key is as likely as any other. */
    UNIFORM,

    /** The key of rank r has a share of about 1/r^0.99, as in many real streams. */
    ZIPF;

    /** The name on the command line. */
    public String skewName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The skew with a name of the command line. */
    public static KeySkew named(String name) {
        for (KeySkew skew : values()) {
            if (skew.skewName().equals(name)) {
                return skew;
            }
        }
        throw new IllegalArgumentException(
                "There is no distribution of keys " + name + "; there are uniform and zipf.");
    }
}
