package io.drey.shuffle.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Waits for what a worker does in threads of its own, for as long as a loaded machine may take. */
final class Until {
    private static final long LIMIT_SECONDS = 60;

    private Until() {}

    static void isZero(String what, LongSupplier number) throws InterruptedException {
        isTrue(what + " to be none", () -> number.getAsLong() == 0);
    }

    static void isTrue(String what, BooleanSupplier isSo) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime())
                    .as("expected within %d s: %s", LIMIT_SECONDS, what)
                    .isLessThan(end);
            Thread.sleep(5);
        }
    }
}
