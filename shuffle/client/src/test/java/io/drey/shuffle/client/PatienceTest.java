package io.drey.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Found by the simulation, in one of 500,000 histories: a writer that waited for memory when its worker restarted. */
final class PatienceTest {
    private final MockTicker clock = Ticker.newMockTicker();
    private final Patience patience = new Patience(clock, Duration.ofSeconds(10));

    private void answers(int seconds) {
        for (int second = 0; second < seconds; second++) {
            clock.advance(1, TimeUnit.SECONDS);
            patience.answered();
        }
    }

    @Test
    void aWorkerThatAnsweredUntilNowMayBeAwayForTheWholeLimit() {
        answers(60);
        assertThat(patience.isOver()).isFalse();
        clock.advance(9, TimeUnit.SECONDS);
        assertThat(patience.isOver()).isFalse();
        clock.advance(2, TimeUnit.SECONDS);
        assertThat(patience.isOver()).isTrue();
        assertThat(patience.isLongOver()).isFalse();
    }

    @Test
    void onlyToAnswerIsNotEnoughForEver() {
        answers(101);
        assertThat(patience.isLongOver()).isTrue();
    }
}
