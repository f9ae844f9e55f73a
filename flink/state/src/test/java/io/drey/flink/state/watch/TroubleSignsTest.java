package io.drey.flink.state.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.flink.state.snapshot.UploadTimes.Interval;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Warnings for what a backend shows, with its numbers, and not more often than they are read. */
class TroubleSignsTest {
    private static final long GB = 1L << 30;
    private static final long SECOND = 1_000_000_000L;

    private final TroubleSigns signs = new TroubleSigns();

    private static TroubleSigns.Reading reading(long stallSeconds, long failures, long usableBytes) {
        return reading(stallSeconds, failures, usableBytes, new Interval(0, 0, 0, 0));
    }

    private static TroubleSigns.Reading reading(Interval upload) {
        return reading(0, 0, 50 * GB, upload);
    }

    private static TroubleSigns.Reading reading(long stallSeconds, long failures, long usableBytes, Interval upload) {
        return new TroubleSigns.Reading(
                3 * stallSeconds,
                stallSeconds * SECOND,
                11,
                8,
                upload,
                List.of(new TroubleSigns.Disk("/data", failures, usableBytes, 100 * GB)));
    }

    @Test
    void aSteadyJobGivesNoReason() {
        for (int i = 0; i < 100; i++) {
            assertThat(signs.look(10 * i * SECOND, reading(0, 0, 50 * GB))).isEmpty();
        }
    }

    @Test
    void aTaskThatIsHeldUpIsNamedWithItsNumbers() {
        signs.look(0, reading(5, 0, 50 * GB));
        assertThat(signs.look(10 * SECOND, reading(8, 0, 50 * GB)))
                .singleElement()
                .asString()
                .startsWith(
                        "the task waited 3.0 of the last 10.0 s for memory or for compaction, 9 times; 11 young runs,"
                                + " due for compaction at 8: ");
    }

    @Test
    void shortWaitsAreNoReason() {
        signs.look(0, reading(0, 0, 50 * GB));
        assertThat(signs.look(100 * SECOND, reading(9, 0, 50 * GB))).isEmpty();
    }

    @Test
    void whatStaysIsSaidAgainAfterAWhileOnly() {
        long full = GB / 2;
        assertThat(signs.look(0, reading(0, 0, full)))
                .singleElement()
                .asString()
                .startsWith("the disk of /data has 512 MB left of 102400: ");
        assertThat(signs.look(10 * SECOND, reading(0, 0, full))).isEmpty();
        long later = TimeUnit.MINUTES.toNanos(TroubleSigns.REPEAT_MINUTES);
        assertThat(signs.look(later - 1, reading(0, 0, full))).isEmpty();
        assertThat(signs.look(later, reading(0, 0, full))).hasSize(1);
    }

    @Test
    void ofStorageThatTakesLongForLittleNoRateIsTold() {
        signs.look(0, reading(new Interval(1, 9_000, SECOND / 10, 2 * SECOND)));
        assertThat(signs.look(10 * SECOND, reading(new Interval(2, 12_000, 2 * SECOND, 2 * SECOND))))
                .containsExactly(
                        "the checkpoint storage took 2.0 s for 12 KB, each 2.0 s: it answers slowly; use storage"
                                + " that answers sooner, or a longer interval");
    }

    @Test
    void checkpointStorageThatTakesMostOfTheIntervalIsNamedWithBothRates() {
        signs.look(0, reading(new Interval(1, 10_000_000, SECOND / 10, 10 * SECOND)));
        assertThat(signs.look(10 * SECOND, reading(new Interval(2, 40_000_000, 8 * SECOND, 10 * SECOND))))
                .singleElement()
                .asString()
                .startsWith("the checkpoint storage took 8.0 s for 40.0 MB, 5.0 MB/s, and the state gives it that much"
                        + " each 10.0 s, 4.0 MB/s: ");
    }

    @Test
    void anUploadIsJudgedOnceAndAgainstItsInterval() {
        Interval longAgo = new Interval(1, 40_000_000, 8 * SECOND, 10 * SECOND);
        signs.look(0, reading(longAgo));
        assertThat(signs.look(10 * SECOND, reading(longAgo))).isEmpty();
        Interval withinAnHour = new Interval(2, 4_000_000_000L, 800 * SECOND, 3600 * SECOND);
        assertThat(signs.look(20 * SECOND, reading(withinAnHour))).isEmpty();
        Interval shortOfAShortInterval = new Interval(3, 1_000_000, SECOND * 9 / 10, SECOND);
        assertThat(signs.look(30 * SECOND, reading(shortOfAShortInterval))).isEmpty();
    }

    @Test
    void aDiskIsNearlyFullByItsSizeWithinBounds() {
        assertThat(signs.look(0, reading(0, 0, 6 * GB))).isEmpty();
        assertThat(signs.look(1, reading(0, 0, 4 * GB))).hasSize(1);
    }

    @Test
    void aDirectoryThatFailsIsNamed() {
        signs.look(0, reading(0, 4, 50 * GB));
        assertThat(signs.look(10 * SECOND, reading(0, 6, -1)))
                .singleElement()
                .asString()
                .startsWith("the local directory /data failed 2 times in the last 10.0 s: ");
    }
}
