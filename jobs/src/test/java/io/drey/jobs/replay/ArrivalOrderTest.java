package io.drey.jobs.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events in the order of arrival, ties by their code. */
class ArrivalOrderTest {
    @Test
    void sortsByArrivalThenCode() {
        ArrivalOrder.Builder builder = new ArrivalOrder.Builder();
        builder.add(-5, 7);
        builder.add(1_400_000_000L, 1);
        builder.add(-5, 3);
        builder.add(0, Integer.MAX_VALUE);
        ArrivalOrder order = builder.build();

        assertThat(IntStream.range(0, order.size()).map(order::code)).containsExactly(3, 7, Integer.MAX_VALUE, 1);
    }

    @Test
    void growsAndMayBeEmpty() {
        ArrivalOrder.Builder builder = new ArrivalOrder.Builder();
        int size = 200_000;
        for (int i = 0; i < size; i++) {
            builder.add(size - i, i);
        }
        ArrivalOrder order = builder.build();

        assertThat(order.size()).isEqualTo(size);
        assertThat(order.code(0)).isEqualTo(size - 1);
        assertThat(new ArrivalOrder.Builder().build().size()).isZero();
    }

    @Test
    void aSpanThatCannotBeNumberedIsRefused() {
        ArrivalOrder.Builder builder = new ArrivalOrder.Builder();
        builder.add(0, 0);
        builder.add(1L << 31, 1);

        assertThatThrownBy(builder::build).hasMessageContaining("spans 24855 days");
    }
}
