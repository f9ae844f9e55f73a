package io.drey.testkit;

import io.drey.foundation.Hash;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs a random test many times, each time with another seed, and when one fails says which and how to repeat it.
 *
 * <p>The seeds follow from the test's name, so that a build is repeatable; at night they are new. Properties change it:
 *
 * <ul>
 *   <li>{@code drey.seed=N} runs the one case with seed N; {@code drey.seed=random} tries seeds never tried before;
 *   <li>{@code drey.model.operations=N} replaces the number of operations of tests that have such a budget.
 * </ul>
 *
 * <p>The {@link Effort} of the run multiplies cases, operations and time. What was done is printed.
 */
public final class Seeds {
    static final String SEED = "drey.seed";
    static final String OPERATIONS = "drey.model.operations";

    private final String test;
    private final String command;
    private final Long only;
    private final long base;

    private Seeds(StackWalker.StackFrame caller) {
        this(caller.getDeclaringClass(), caller.getMethodName(), System.getProperty(SEED, ""), Effort.current());
    }

    Seeds(Class<?> testClass, String method, String seed, Effort effort) {
        test = testClass.getSimpleName() + "#" + method;
        command = RepeatCommand.of(testClass, method);
        boolean fresh = seed.equals("random") || (seed.isEmpty() && effort == Effort.NIGHTLY);
        only = fresh || seed.isEmpty() ? null : Long.valueOf(seed);
        base = fresh ? ThreadLocalRandom.current().nextLong() : (long) test.hashCode() << 32;
    }

    /** One run of the test. */
    @FunctionalInterface
    public interface Case {
        void run(long seed) throws Exception;
    }

    /** One run of the test that returns how many operations it did. */
    @FunctionalInterface
    public interface CountedCase {
        long run(long seed) throws Exception;
    }

    /** Runs {@code count} cases. */
    public static void cases(int count, Case body) {
        Seeds seeds = new Seeds(caller());
        long wanted = Effort.seeded(count);
        seeds.run((index, operations) -> index < wanted, seed -> {
            body.run(seed);
            return 1;
        });
    }

    /** Runs cases until {@code budget} has passed, and at least one. */
    public static void time(Duration budget, Case body) {
        Seeds seeds = new Seeds(caller());
        long start = System.nanoTime();
        long nanos = Effort.seeded(budget.toNanos());
        seeds.run((index, operations) -> index == 0 || System.nanoTime() - start < nanos, seed -> {
            body.run(seed);
            return 1;
        });
    }

    /** Runs cases until they have done {@code operations} together, and returns how many they did. */
    public static long operations(long operations, CountedCase body) {
        Seeds seeds = new Seeds(caller());
        long wanted = Long.getLong(OPERATIONS, Effort.seeded(operations));
        return seeds.run((index, done) -> done < wanted, body);
    }

    /** Says whether there is to be another case. */
    @FunctionalInterface
    interface Budget {
        boolean goesOn(long index, long operations);
    }

    long run(Budget budget, CountedCase body) {
        if (only != null) {
            return run(0, only, body);
        }
        long operations = 0;
        long index = 0;
        for (; budget.goesOn(index, operations); index++) {
            long done = run(index, Hash.mix(base + index, 0x9e3779b97f4a7c15L), body);
            if (done <= 0) {
                throw new AssertionError("expected case " + index + " of " + test
                        + " to do at least one operation, found " + done + ": it would run for ever");
            }
            operations += done;
        }
        TestSummary summary = new TestSummary(test);
        summary.add("seeds", index);
        if (operations > index) {
            summary.add("operations", operations);
        }
        summary.print();
        return operations;
    }

    private long run(long index, long seed, CountedCase body) {
        try {
            return body.run(seed);
        } catch (Exception | AssertionError e) {
            throw new AssertionError(
                    "case " + index + " of " + test + " failed with seed " + seed + ": " + e.getMessage()
                            + "\nrepeat it with: " + command + " -D" + SEED + "=" + seed,
                    e);
        }
    }

    /** The test: the first frame outside this class. */
    private static StackWalker.StackFrame caller() {
        return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .walk(frames -> frames.dropWhile(frame -> frame.getDeclaringClass() == Seeds.class)
                        .findFirst()
                        .orElseThrow());
    }
}
