package io.drey.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes a failing list of operations short, by delta debugging:
 *
 * <ol>
 *   <li>cut the list into chunks, at first two;
 *   <li>if the list still fails without one of the chunks, drop that chunk;
 *   <li>when no chunk can be dropped, halve the chunks; end when they are single operations.
 * </ol>
 *
 * Operations must make sense in any subset: one that does not apply does nothing.
 */
public final class Shrinker {
    /** VersionReader of the check that one shrinking may take. */
    static final int TRIES_MAX = 5000;

    private Shrinker() {}

    /** Carries out operations and throws if something is wrong. */
    @FunctionalInterface
    public interface Check<T> {
        void run(List<T> operations) throws Exception;
    }

    /** VersionReader the check; if it fails, throws an error that lists the fewest operations found that fail the same way. */
    public static <T> void check(List<T> operations, Check<T> check) {
        Throwable failure = failureOf(operations, check);
        if (failure == null) {
            return;
        }
        List<T> few = shrink(operations, check, failure.getClass());
        Throwable shortest = failureOf(few, check);
        StringBuilder message = new StringBuilder();
        Throwable shown = shortest == null ? failure : shortest;
        message.append(shown.getMessage()).append("\nafter these operations (").append(few.size());
        message.append(" of ").append(operations.size()).append("):");
        for (T operation : few) {
            message.append("\n  ").append(operation);
        }
        throw new AssertionError(message.toString(), shown);
    }

    /** The fewest operations found that still fail with an exception of that class. */
    static <T> List<T> shrink(List<T> failing, Check<T> check, Class<?> failure) {
        List<T> current = new ArrayList<>(failing);
        int chunk = (current.size() + 1) / 2;
        int tries = 0;
        while (chunk >= 1) {
            boolean dropped = false;
            for (int start = 0; start < current.size() && tries < TRIES_MAX; tries++) {
                List<T> without = new ArrayList<>(current.subList(0, start));
                without.addAll(current.subList(Math.min(start + chunk, current.size()), current.size()));
                if (failure.isInstance(failureOf(without, check))) {
                    current = without;
                    dropped = true;
                } else {
                    start += chunk;
                }
            }
            if (tries >= TRIES_MAX) {
                return current;
            }
            if (!dropped || chunk > 1) {
                chunk = chunk == 1 ? 0 : (chunk + 1) / 2;
            }
        }
        return current;
    }

    private static <T> Throwable failureOf(List<T> operations, Check<T> check) {
        try {
            check.run(operations);
            return null;
        } catch (Exception | AssertionError e) {
            return e;
        }
    }
}
