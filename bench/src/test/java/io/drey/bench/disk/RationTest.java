package io.drey.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drey.bench.probe.ReadsAndWrites;
import io.drey.bench.result.ProcessSample;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The account of a ration, and how it is cut between reads and writes; time is simulated. */
final class RationTest {
    private static final double TICK = 0.2;

    @Test
    void allowsTheBurstWhileThereAreCreditsAndThenTheLastingRate() {
        TokenBucket bucket = new TokenBucket(240, 3000, 12_000);
        assertThat(bucket.allowed()).isEqualTo(3000);
        int seconds = 0;
        while (bucket.allowed() == 3000) {
            bucket.step(1, 3000);
            seconds++;
        }
        // 12,000 credits at 2,760 a second more than comes.
        assertThat(seconds).isBetween(3, 5);
        for (int i = 0; i < 100; i++) {
            bucket.step(TICK, Math.round(bucket.allowed() * TICK));
        }
        assertThat(bucket.allowed()).isBetween(235L, 245L);
    }

    @Test
    void savesCreditsUpToTheirNumber() {
        TokenBucket bucket = new TokenBucket(100, 1000, 500);
        bucket.step(1, 600);
        assertThat(bucket.credits()).isEqualTo(0);
        bucket.step(2, 0);
        assertThat(bucket.credits()).isEqualTo(200);
        bucket.step(60, 0);
        assertThat(bucket.credits()).isEqualTo(500);
    }

    @Test
    void isPaidBackWhatWasUsedBeyondIt() {
        TokenBucket bucket = new TokenBucket(100, 100, 0);
        bucket.step(1, 150);
        assertThat(bucket.allowed()).isEqualTo(50);
        bucket.step(1, 50);
        assertThat(bucket.allowed()).isEqualTo(100);
        bucket.step(1, 1000);
        assertThat(bucket.allowed()).as("nobody is stopped").isEqualTo(25);
    }

    @Test
    void withoutCreditsNothingIsSaved() {
        TokenBucket bucket = new TokenBucket(100, 1000, 0);
        bucket.step(10, 0);
        assertThat(bucket.allowed()).isEqualTo(100);
    }

    @Test
    void refusesARationThatIsNone() {
        assertThatThrownBy(() -> new TokenBucket(0, 0, 0)).hasMessageContaining("expected a rate of at least 1");
        assertThatThrownBy(() -> new TokenBucket(1, 1, -1)).hasMessageContaining("no negative credits");
    }

    @Test
    void whoeverIsAloneGetsNearlyAll() {
        FairSplit split = new FairSplit();
        for (int i = 0; i < 50; i++) {
            split.step(Math.min(500, split.readLimit()), 0, 240);
        }
        assertThat(split.readLimit()).isBetween(220L, 240L);
        assertThat(split.writeLimit()).isEqualTo(120);
    }

    @Test
    void whoWaitsBothGetHalf() {
        FairSplit split = new FairSplit();
        for (int i = 0; i < 50; i++) {
            split.step(Math.min(500, split.readLimit()), Math.min(500, split.writeLimit()), 240);
        }
        assertThat(split.readLimit()).isEqualTo(120);
        assertThat(split.writeLimit()).isEqualTo(120);
    }

    @Test
    void whatOneSideLeavesTheOtherGets() {
        FairSplit split = new FairSplit();
        for (int i = 0; i < 50; i++) {
            split.step(Math.min(500, split.readLimit()), 40, 240);
        }
        assertThat(split.readLimit()).isBetween(180L, 200L);
        assertThat(split.writeLimit()).isEqualTo(120);
    }

    /** Readers and writers that want a random amount in each stretch, on a disk that does what the limits allow. */
    @Test
    void holdsTheRationOnAverageWhateverIsWanted() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            long rate = 50L + random.nextInt(1000);
            long burst = rate * (1 + random.nextInt(10));
            long credits = random.nextInt(20_000);
            TokenBucket bucket = new TokenBucket(rate, burst, credits);
            FairSplit split = new FairSplit();
            split.cut(bucket.allowed());
            double done = 0;
            double seconds = 0;
            double wantedReads = 0;
            double wantedWrites = 0;
            while (seconds < 600) {
                if (random.nextInt(50) == 0) {
                    wantedReads = random.nextInt(4) == 0 ? 0 : random.nextDouble() * 2 * burst;
                    wantedWrites = random.nextInt(4) == 0 ? 0 : random.nextDouble() * 2 * burst;
                }
                double reads = Math.min(wantedReads, split.readLimit());
                double writes = Math.min(wantedWrites, split.writeLimit());
                long ios = Math.round((reads + writes) * TICK);
                done += ios;
                seconds += TICK;
                bucket.step(TICK, ios);
                split.step(reads, writes, bucket.allowed());
            }
            // Beyond the ration only what one side takes before its limit follows the other one.
            assertThat(done).as("seed " + seed).isLessThan(credits + rate * seconds + burst);
            assertThat(bucket.credits()).as("seed " + seed).isGreaterThan(-(double) burst);
        }
    }

    /** Nothing is lost either: who always wants more than there is gets all of it. */
    @Test
    void givesTheWholeRation() {
        TokenBucket bucket = new TokenBucket(240, 3000, 10_000);
        FairSplit split = new FairSplit();
        split.cut(bucket.allowed());
        double done = 0;
        for (int i = 0; i < 3000; i++) {
            long ios = Math.round((split.readLimit() + split.writeLimit()) * TICK);
            done += ios;
            bucket.step(TICK, ios);
            split.step(split.readLimit(), split.writeLimit(), bucket.allowed());
        }
        double ration = 10_000 + 240 * 3000 * TICK;
        assertThat(done).isCloseTo(ration, within(0.03 * ration));
    }

    @Test
    void countsAsAVolumeDoes() {
        ProcessSample.Io before = ReadsAndWrites.ofDevice("  10  0  80  5  3  0  24  1  0  0  0  0");
        ProcessSample.Io now = ReadsAndWrites.ofDevice("  20  0  8080  5  4  0  2048  1  0  0  0  0");
        ProcessSample.Io done = now.since(before);
        assertThat(done.readIos()).as("4 MB in 10 I/Os count as 16").isEqualTo(16);
        assertThat(done.writeIos()).as("1012 KB in one I/O count as 4").isEqualTo(4);
        assertThat(done.readBytes()).isEqualTo(8000 * 512);
        assertThat(ReadsAndWrites.ofDevice("1 2 3")).isEqualTo(ProcessSample.Io.UNKNOWN);
    }
}
