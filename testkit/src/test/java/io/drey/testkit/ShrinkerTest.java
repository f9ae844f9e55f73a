package io.drey.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShrinkerTest {
    @Test
    void saysNothingWhenNothingFails() {
        assertThatCode(() -> Shrinker.check(List.of(1, 2, 3), operations -> {})).doesNotThrowAnyException();
    }

    @Test
    void findsTheOperationsThatFailTogether() {
        List<Integer> operations = IntStream.range(0, 1000).boxed().toList();
        assertThatThrownBy(() -> Shrinker.check(operations, list -> {
                    if (list.contains(3) && list.contains(500) && list.contains(999)) {
                        throw new IllegalStateException("together");
                    }
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessage("together\nafter these operations (3 of 1000):\n  3\n  500\n  999")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    /** Whatever the culprits are, what is left is exactly them. */
    @Test
    void shrinksToTheCulpritsOfAnyKind() {
        Seeds.cases(200, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            int size = 1 + random.nextInt(120);
            TreeSet<Integer> culprits = new TreeSet<>();
            for (int i = 0; i <= random.nextInt(5); i++) {
                culprits.add(random.nextInt(size));
            }
            List<Integer> operations = IntStream.range(0, size).boxed().toList();
            List<Integer> few = Shrinker.shrink(
                    operations,
                    list -> {
                        if (list.containsAll(culprits)) {
                            throw new IllegalStateException();
                        }
                    },
                    IllegalStateException.class);
            assertThat(few).containsExactlyElementsOf(new ArrayList<>(culprits));
        });
    }

    @Test
    void isNotLedAstrayByOtherFailures() {
        List<Integer> operations = IntStream.range(0, 50).boxed().toList();
        assertThatThrownBy(() -> Shrinker.check(operations, list -> {
                    if (!list.contains(0)) {
                        throw new IllegalArgumentException("setup is missing");
                    }
                    if (list.contains(40)) {
                        throw new IllegalStateException("bug");
                    }
                }))
                .hasMessage("bug\nafter these operations (2 of 50):\n  0\n  40");
    }

    @Test
    void stopsTryingAtItsLimit() {
        AtomicInteger tries = new AtomicInteger();
        List<Integer> operations = IntStream.range(0, 20_000).boxed().toList();
        Shrinker.shrink(
                operations,
                list -> {
                    tries.incrementAndGet();
                    if (list.size() > 10_000) {
                        throw new IllegalStateException();
                    }
                },
                IllegalStateException.class);
        assertThat(tries).hasValueLessThanOrEqualTo(Shrinker.TRIES_MAX);
    }
}
