package io.drey.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoroutineTest {
    private final List<String> done = new ArrayList<>();

    private Coroutine counting(String name, int parts) {
        return new Coroutine(() -> {
            for (int i = 0; i < parts; i++) {
                done.add(name + i);
                Coroutine.pause();
            }
        });
    }

    @Test
    void partsRunInTheOrderInWhichTheyAreResumed() {
        Coroutine a = counting("a", 3);
        Coroutine b = counting("b", 2);
        assertThat(a.resume(1)).isFalse();
        assertThat(b.resume(1)).isFalse();
        assertThat(a.resume(2)).isFalse();
        assertThat(b.resume(5)).isTrue();
        assertThat(a.isDone()).isFalse();
        assertThat(a.resume(1)).isTrue();
        assertThat(a.resume(1)).isTrue();
        assertThat(done).containsExactly("a0", "b0", "a1", "a2", "b1");
    }

    @Test
    void whatItThrowsIsKept() {
        IllegalStateException failure = new IllegalStateException("no");
        Coroutine work = new Coroutine(() -> {
            throw failure;
        });
        assertThat(work.resume(1)).isTrue();
        assertThat(work.failure()).isSameAs(failure);
    }

    @Test
    void anInterruptIsFoundWhenTheWorkGoesOn() {
        Coroutine work = new Coroutine(() -> {
            Coroutine.pause();
            done.add("interrupted " + Thread.currentThread().isInterrupted());
        });
        work.resume(1);
        work.thread().interrupt();
        assertThat(work.resume(1)).isTrue();
        Coroutine next = new Coroutine(
                () -> done.add("interrupted " + Thread.currentThread().isInterrupted()));
        next.resume(1);
        assertThat(done).containsExactly("interrupted true", "interrupted false");
    }

    @Test
    void itIsNotResumedByOtherWorkNorPausedOutside() {
        Coroutine.pause();
        Coroutine inner = counting("inner", 1);
        Coroutine outer = new Coroutine(() -> inner.resume(1));
        outer.resume(1);
        assertThatThrownBy(() -> {
                    throw outer.failure();
                })
                .hasMessageContaining("resumed by other work");
    }
}
