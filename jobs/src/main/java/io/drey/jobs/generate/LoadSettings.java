package io.drey.jobs.generate;

import java.io.Serializable;
import java.util.Objects;

/**
 * The size and the shape of a generated job's input.
 *
 * @param seed of everything random
 * @param alive how much state is alive once it is filled, in the job's unit
 * @param keys how keys are drawn
 * @param rowBytesMin smallest payload of a row in bytes, for jobs with rows
 * @param rowBytesMax largest payload of a row in bytes
 * @param stateless the same source and exchange without keyed state, as the ceiling; its output is another
 * @param end position at which the source stops and waits, or {@link #NEVER}
 */
public record LoadSettings(
        long seed, long alive, KeySkew keys, int rowBytesMin, int rowBytesMax, boolean stateless, long end)
        implements Serializable {
    /** The input goes on for ever. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Less would leave some job without keys. */
    public static final long ALIVE_MIN = 100;

    /** Numbers of keys stay ints, so that they can be scrambled in 64 bits. */
    public static final long ALIVE_MAX = Integer.MAX_VALUE;

    /** Payloads tell rows apart. */
    public static final int ROW_BYTES_MIN = 16;

    /** Rows fit the smallest network buffers many times over, and a batch of them the heap. */
    public static final int ROW_BYTES_MAX = 1 << 20;

    /** An input without end. */
    public LoadSettings(long seed, long alive, KeySkew keys, int rowBytesMin, int rowBytesMax, boolean stateless) {
        this(seed, alive, keys, rowBytesMin, rowBytesMax, stateless, NEVER);
    }

    /** The begin of the same input: another run can go on behind it. */
    public LoadSettings endingAt(long position) {
        return new LoadSettings(seed, alive, keys, rowBytesMin, rowBytesMax, stateless, position);
    }

    public LoadSettings {
        Objects.requireNonNull(keys, "keys");
        check("alive", alive, ALIVE_MIN, ALIVE_MAX);
        check("rowBytesMin", rowBytesMin, ROW_BYTES_MIN, ROW_BYTES_MAX);
        check("rowBytesMax", rowBytesMax, rowBytesMin, ROW_BYTES_MAX);
    }

    private static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be from " + min + " to " + max + ", is " + value);
        }
    }
}
