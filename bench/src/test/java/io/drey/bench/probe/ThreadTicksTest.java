package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadTicksTest {
    @Test
    void userAndSystemTimeAreAdded() {
        String stat = "4711 (C2 CompilerThre) S 4600 4600 359 0 -1 4194368 107914 0 2 0 413 67 0 0 20 0 61 0 1328280 "
                + "3133440 381 18446744073709551615 94291714670592 94291714690473 140721454284224 0 0 0\n";

        assertThat(ThreadTicks.parse(stat)).isEqualTo(new ThreadTicks("C2 CompilerThre", 480));
    }

    @Test
    void aNameMayHaveBlanksAndParentheses() {
        assertThat(ThreadTicks.parse("1 (a) b (1/1)) R 1 1 1 0 -1 0 0 0 0 0 5 6 0 0 20"))
                .isEqualTo(new ThreadTicks("a) b (1/1)", 11));
    }

    @Test
    void anythingElseIsNoThread() {
        assertThat(ThreadTicks.parse("")).isNull();
        assertThat(ThreadTicks.parse("12 (cut off) S 1 2 3")).isNull();
        assertThat(ThreadTicks.parse("12 (x) R 1 1 1 0 -1 0 0 0 0 0 five 6 0 0 20"))
                .isNull();
    }
}
