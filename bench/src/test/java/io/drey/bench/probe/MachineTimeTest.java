package io.drey.bench.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTimeTest {
    @Test
    void allButIdleTimeIsBusyAndGuestsAreNotCountedTwice() {
        String stat = "cpu  1000 20 300 90000 4000 5 6 70 8 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assertThat(MachineTime.busyTicks(stat)).isEqualTo(1000 + 20 + 300 + 5 + 6 + 70);
    }

    @Test
    void coresAreCountedToKnowWhetherTheyAreThoseOfThisMachine() {
        assertThat(MachineTime.cores("cpu  1 2\ncpu0 1 1\ncpu1 0 1\ncpu17 3 3\nintr cpu2\nctxt 5\n"))
                .isEqualTo(3);
        assertThat(MachineTime.cores("")).isZero();
    }

    @Test
    void anythingElseTellsNothing() {
        assertThat(MachineTime.busyTicks("")).isEqualTo(-1);
        assertThat(MachineTime.busyTicks("cpu  1 2 3\n")).isEqualTo(-1);
    }
}
