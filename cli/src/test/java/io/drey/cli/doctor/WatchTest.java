package io.drey.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drey.cli.doctor.finding.FindingList;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final FindingList FOUND = new FindingList(List.of(), Map.of());

    private final List<String> said = new ArrayList<>();
    private int looks;
    private int shown;

    /** Watches a job of which looks fail from one to another, not counting the last; ends when five were shown. */
    private int watch(int failFrom, int failTo) throws IOException, InterruptedException {
        Watch watch = new Watch(
                () -> {
                    int number = looks++;
                    if (number >= failFrom && number < failTo) {
                        throw new IOException("Nothing answers.");
                    }
                    return FOUND;
                },
                Duration.ZERO);
        return watch.run(found -> ++shown < 5, said::add);
    }

    @Test
    void looksUntilNobodyReads() throws Exception {
        assertThat(watch(100, 100)).isZero();
        assertThat(looks).isEqualTo(5);
        assertThat(said).isEmpty();
    }

    /** A JobManager that changes is away for a minute. */
    @Test
    void goesOnWhenWhatItLooksAtIsBack() throws Exception {
        assertThat(watch(2, 2 + Watch.FAILURES_MAX)).isZero();
        assertThat(shown).isEqualTo(5);
        assertThat(said).containsExactly("Nothing answers. It is looked for again, for some minutes.");
    }

    @Test
    void endsWhenNothingCanBeSeenForLong() {
        assertThatThrownBy(() -> watch(2, 3 + Watch.FAILURES_MAX)).hasMessage("Nothing answers.");
        assertThat(shown).isEqualTo(2);
    }

    @Test
    void anAddressThatIsWrongFromTheBeginningIsNotWaitedFor() {
        assertThatThrownBy(() -> watch(0, 1)).hasMessage("Nothing answers.");
        assertThat(looks).isOne();
    }
}
