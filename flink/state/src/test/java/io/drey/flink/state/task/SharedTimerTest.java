package io.drey.flink.state.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class SharedTimerTest {
    private static final long SOON_NANOS = 1_000_000;

    @Test
    void aMemberThatFailsKeepsNoOtherFromBeingTold() throws Exception {
        CountDownLatch failed = new CountDownLatch(2);
        CountDownLatch told = new CountDownLatch(2);
        SharedTimer<Runnable> timer = new SharedTimer<>("test-timer", SOON_NANOS, Runnable::run);
        Runnable failing = () -> {
            failed.countDown();
            throw new IllegalStateException("of one task");
        };
        Runnable other = told::countDown;
        timer.add(failing);
        timer.add(other);
        assertThat(failed.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(told.await(1, TimeUnit.MINUTES)).isTrue();
        timer.remove(failing);
        timer.remove(other);
    }
}
