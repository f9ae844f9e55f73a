package io.drey.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.contender.Contenders;
import io.drey.bench.plan.PlannedCell;
import io.drey.bench.plan.Workloads;
import io.drey.cli.terminal.ProgressLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CompareProgressTest {
    private final StringWriter out = new StringWriter();
    private final AtomicLong nanos = new AtomicLong();
    private final CompareProgress progress =
            new CompareProgress(new ProgressLine(new PrintWriter(out), false, Integer.MAX_VALUE, 1), nanos::get);

    private List<String> fillThatWasGuessedToEndAfter(Duration duration) {
        PlannedCell fill =
                new PlannedCell(Workloads.named(List.of("last-seen")).get(0), new Contenders(1 << 24).named("drey"), 0);
        progress.started(fill, 1, 2, duration);
        nanos.set(Duration.ofSeconds(60).toNanos());
        progress.progress("fill", 50, 0.1, 6971);
        return out.toString().lines().toList();
    }

    @Test
    void whatIsLeftBecomesLess() {
        assertThat(fillThatWasGuessedToEndAfter(Duration.ofMinutes(31)))
                .containsExactly(
                        "[1/2] last-seen on drey, filling, about 31 min left",
                        "[1/2] last-seen on drey, filling: fill 50 s, 10 %, 6971/s, about 30 min left");
    }

    @Test
    void aFillThatTakesLongerThanGuessedSaysHowLong() {
        assertThat(fillThatWasGuessedToEndAfter(Duration.ofSeconds(40)))
                .containsExactly(
                        "[1/2] last-seen on drey, filling, about 40 s left",
                        "[1/2] last-seen on drey, filling: fill 50 s, 10 %, 6971/s, about 7 min left");
    }

    @Test
    void aFillSaysWhichPartIsThere() {
        progress.progress("fill", 222, 0.253, 6971);

        assertThat(out.toString().trim()).isEqualTo(": fill 222 s, 25 %, 6971/s");
    }

    @Test
    void aPhaseOfUnknownLengthSaysItsTimeOnly() {
        progress.progress("start", 3, -1, 0);

        assertThat(out.toString().trim()).isEqualTo(": start 3 s");
    }
}
