package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A worker whose disks fail for a while. */
final class DiskScenarioTest extends Scenario {
    private boolean isChosen() {
        return control.choose(2).contains(candidate(worker));
    }

    private void fail(boolean now) {
        worker.disks().forEach(each -> each.failing(now));
    }

    @Test
    void aDirectoryThatFailedIsUsedAgainMinutesAfterItWorks() throws Exception {
        seconds(10);
        assertThat(isChosen()).isTrue();
        fail(true);
        seconds(1_000);
        assertThat(isChosen()).isFalse();
        fail(false);
        seconds(500);
        assertThat(isChosen()).isTrue();
        write(1, worker);
        assertThat(worker.disks())
                .allSatisfy(
                        each -> assertThat(each.list(each.root())).noneMatch(file -> file.endsWith("worker.probe")));
    }

    /** It may have been one bad moment of many to come: others take what is new meanwhile. */
    @Test
    void aDirectoryThatFailedIsLeftAloneForMinutes() {
        seconds(10);
        fail(true);
        seconds(10);
        fail(false);
        seconds(250);
        assertThat(isChosen()).isFalse();
        seconds(250);
        assertThat(isChosen()).isTrue();
    }
}
