package io.drey.flink.state.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.testkit.Coroutine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SimulatedTimeTest {
    private final SimulatedMachine.Clock clock = new SimulatedMachine.Clock();
    private final SimulatedTime time = new SimulatedTime(clock::nanos);
    private final List<String> rung = new ArrayList<>();

    @Test
    void anAlarmRingsOnceWhenItsTimeHasComeAndSomebodyLetsIt() {
        time.set(() -> rung.add("alarm"), 5_000_000);
        time.ring();
        assertThat(rung).isEmpty();
        assertThat(time.next()).isEqualTo(5_000_000);
        clock.moveMs(5);
        assertThat(rung).isEmpty();
        time.ring();
        time.ring();
        assertThat(rung).containsExactly("alarm");
        assertThat(time.next()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anAlarmMayBePutOffOrCancelled() {
        Runnable alarm = () -> rung.add("put off");
        Runnable other = () -> rung.add("cancelled");
        time.set(alarm, 1);
        time.set(alarm, 9_000_000);
        time.set(other, 1);
        time.cancel(other);
        clock.moveMs(5);
        time.ring();
        assertThat(rung).isEmpty();
        clock.moveMs(5);
        time.ring();
        assertThat(rung).containsExactly("put off");
    }

    @Test
    void whoWaitsPausesUntilItHappensOrTheTimeIsOver() {
        CountDownLatch latch = new CountDownLatch(1);
        Coroutine happens = new Coroutine(() -> rung.add("happened " + time.await(latch, 1_000_000_000)));
        Coroutine expires = new Coroutine(() -> rung.add("happened " + time.await(new CountDownLatch(1), 200_000_000)));
        assertThat(happens.resume(3)).isFalse();
        assertThat(expires.resume(3)).isFalse();
        clock.moveMs(200);
        latch.countDown();
        assertThat(happens.resume(3)).isTrue();
        assertThat(expires.resume(3))
                .as("lets others go on, however long it could")
                .isFalse();
        assertThat(expires.resume(1)).isTrue();
        assertThat(rung).containsExactly("happened true", "happened false");
        assertThat(time.expired()).isEqualTo(1);
    }
}
