package io.drey.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.drey.bench.result.Comparison;
import io.drey.bench.result.ResultJson;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures against numbers that were worked out by hand. */
class FiguresTest {
    @TempDir
    Path scratch;

    private static ContenderFigures only(HandMadeCell... cells) {
        return Figures.of(HandMadeCell.comparison(null, cells))
                .jobs()
                .get(0)
                .contenders()
                .get(0);
    }

    private static double median(ContenderFigures contender, Figure figure) {
        return contender.figure(figure).median();
    }

    @Test
    void percentilesLieOnTheLineBetweenNeighbours() {
        double[] values = {10, 20, 30, 40, 50};
        assertThat(Statistics.percentile(values, 0)).isEqualTo(10);
        assertThat(Statistics.percentile(values, 10)).isEqualTo(14);
        assertThat(Statistics.percentile(values, 50)).isEqualTo(30);
        assertThat(Statistics.percentile(values, 100)).isEqualTo(50);
        assertThat(Statistics.percentile(new double[] {7}, 99)).isEqualTo(7);
        assertThatThrownBy(() -> Statistics.percentile(new double[0], 50)).hasMessageContaining("found none");
    }

    @Test
    void throughputIsOfMeasuredSecondsOnly() {
        ContenderFigures drey =
                only(new HandMadeCell("drey", 1).seconds(false, 1, 1_000_000).seconds(true, 100, 200, 300, 400, 500));
        assertThat(median(drey, Figure.EVENTS_MEDIAN)).isEqualTo(300);
        assertThat(median(drey, Figure.EVENTS_P10)).isEqualTo(140);
        assertThat(median(drey, Figure.EVENTS_MIN)).isEqualTo(100);
        assertThat(median(drey, Figure.EVENTS_MEAN)).isEqualTo(300);
        assertThat(median(drey, Figure.STEADINESS)).isCloseTo(140.0 / 300, within(1e-12));
    }

    @Test
    void whatIsPerEventIsDividedByMeasuredEvents() {
        ContenderFigures drey =
                only(new HandMadeCell("drey", 1).seconds(false, 9_999).seconds(true, 1_000, 3_000));
        assertThat(median(drey, Figure.CPU_TOTAL)).isEqualTo(1_500);
        assertThat(median(drey, Figure.CPU_TASK)).isEqualTo(1_000);
        assertThat(median(drey, Figure.CPU_OTHER)).isEqualTo(500);
        assertThat(median(drey, Figure.CPU_GC)).isZero();
        assertThat(median(drey, Figure.ALLOCATED)).isEqualTo(4);
        assertThat(median(drey, Figure.PROCESS_READS)).isEqualTo(0.001);
        assertThat(median(drey, Figure.PROCESS_WRITE_BYTES)).isEqualTo(4.096);
        assertThat(median(drey, Figure.DEVICE_READS)).isEqualTo(0.005);
        assertThat(median(drey, Figure.RESIDENT_PEAK)).isEqualTo(1_002);
        assertThat(median(drey, Figure.HEAP_MEDIAN)).isEqualTo(501.5);
        assertThat(median(drey, Figure.LOCAL_PEAK)).isEqualTo(72);
        assertThat(median(drey, Figure.INDEX_MAX)).isEqualTo(602);
        assertThat(median(drey, Figure.FLUSH_BYTES)).isEqualTo(0.5);
        assertThat(median(drey, Figure.YOUNG_BYTES)).isEqualTo(1.5);
        assertThat(median(drey, Figure.LEVEL_BYTES)).isEqualTo(2.5);
    }

    @Test
    void whatTheSystemDoesNotTellIsAbsent() {
        ContenderFigures drey = only(new HandMadeCell("drey", 1).untoldSeconds(1_000, 3_000));
        assertThat(median(drey, Figure.EVENTS_MEDIAN)).isEqualTo(2_000);
        for (Figure figure : Figure.values()) {
            boolean isUntold = figure.name().matches("(CPU|PROCESS|DEVICE)_.*|ALLOCATED|RESIDENT_PEAK|LOCAL_PEAK");
            if (isUntold) {
                assertThat(drey.figure(figure)).as(figure.json()).isNull();
            }
        }
    }

    @Test
    void secondsWithoutProgressAreCounted() {
        ContenderFigures drey = only(
                new HandMadeCell("drey", 0).seconds(false, 0, 0, 50, 0, 60, 0, 0),
                new HandMadeCell("drey", 1).seconds(false, 0, 7).seconds(true, 100, 0, 300, 0, 1));
        assertThat(median(drey, Figure.EVENTS_STILL)).isEqualTo(2);
        assertThat(median(drey, Figure.FILL_STILL)).isEqualTo(3);
    }

    @Test
    void withoutEventsNothingIsPerEvent() {
        ContenderFigures drey = only(new HandMadeCell("drey", 1).seconds(true, 0, 0));
        assertThat(median(drey, Figure.EVENTS_MEDIAN)).isZero();
        assertThat(drey.figure(Figure.CPU_TOTAL)).isNull();
        assertThat(drey.figure(Figure.STEADINESS)).isNull();
    }

    @Test
    void onlyJobsThatCommitHaveLatenciesOfCommits() {
        ContenderFigures drey =
                only(new HandMadeCell("drey", 1).seconds(true, 1).commits(600, 1_100));
        assertThat(median(drey, Figure.COMMIT_P50)).isEqualTo(600);
        assertThat(median(drey, Figure.COMMIT_P99)).isEqualTo(1_100);
        assertThat(only(new HandMadeCell("drey", 1).seconds(true, 1)).figure(Figure.COMMIT_P99))
                .isNull();
    }

    @Test
    void onlyMeasuredCheckpointsThatCompletedHaveADuration() {
        ContenderFigures drey = only(new HandMadeCell("drey", 1)
                .seconds(true, 1)
                .checkpoint(false, true, 90_000)
                .checkpoint(true, true, 100)
                .checkpoint(true, false, 70_000)
                .checkpoint(true, true, 200)
                .checkpoint(true, true, 600));
        assertThat(median(drey, Figure.CHECKPOINT_P50)).isEqualTo(200);
        assertThat(median(drey, Figure.CHECKPOINT_P99)).isEqualTo(592);
        assertThat(median(drey, Figure.CHECKPOINT_MAX)).isEqualTo(600);
        assertThat(median(drey, Figure.CHECKPOINT_SYNC)).isEqualTo(60);
        assertThat(median(drey, Figure.CHECKPOINTS)).isEqualTo(3);
        assertThat(median(drey, Figure.CHECKPOINTS_FAILED)).isEqualTo(1);
        assertThat(median(drey, Figure.UPLOADED)).isEqualTo(400);
        assertThat(median(drey, Figure.UPLOADED_MAX)).isEqualTo(1_200);
        assertThat(median(drey, Figure.FULL_SIZE)).isEqualTo(60_000);
        assertThat(median(drey, Figure.FILES)).isEqualTo(7);
    }

    @Test
    void pausesCountWhileMeasuring() {
        ContenderFigures drey = only(new HandMadeCell("drey", 1)
                .seconds(false, 1)
                .seconds(true, 1, 1)
                .pause(0.5, 900)
                .pause(1.5, 20)
                .pause(2.5, 40));
        assertThat(median(drey, Figure.GC_PAUSES)).isEqualTo(2);
        assertThat(median(drey, Figure.GC_SHARE)).isEqualTo(3);
        assertThat(median(drey, Figure.GC_MAX)).isEqualTo(40);
    }

    @Test
    void theFillHasARateAndNothingElse() {
        ContenderFigures drey = only(
                new HandMadeCell("drey", 0).seconds(false, 100, 300),
                new HandMadeCell("drey", 1).seconds(true, 50).restore(800, -1));
        assertThat(median(drey, Figure.FILL_RATE)).isEqualTo(200);
        assertThat(drey.figure(Figure.EVENTS_MEDIAN).values()).containsExactly(50.0);
        assertThat(drey.repetitions()).containsExactly(1);
        assertThat(median(drey, Figure.RESTORE_FIRST)).isEqualTo(800);
        assertThat(drey.figure(Figure.RESTORE_FULL)).isNull();
        assertThat(drey.notes())
                .containsExactly(
                        "Repetition 1 never reached full speed after the restore.",
                        "Measured in 1 of at least 3 repetitions.");
    }

    @Test
    void aLoadedMachineIsSaid() {
        HandMadeCell alone = new HandMadeCell("drey", 1).besideOthers(0.1).seconds(true, 50, 50);
        HandMadeCell loaded = new HandMadeCell("drey", 2).besideOthers(0.4).seconds(true, 50, 50);
        HandMadeCell unknown = new HandMadeCell("drey", 3).seconds(true, 50, 50);
        assertThat(only(alone, loaded, unknown).notes())
                .containsExactly("Repetition 2 ran on a loaded machine: others used 0.4 of 1 cores.");
        assertThat(OtherLoad.sentence(HandMadeCell.comparison(null, alone, loaded, unknown)))
                .startsWith("The machine was loaded: in 1 of 3 cells other processes used up to 0.4 of its 1 cores;");
        assertThat(OtherLoad.sentence(HandMadeCell.comparison(null, alone, unknown)))
                .isNull();
    }

    @Test
    void checkpointsThatDidNotCompleteAreSaid() {
        HandMadeCell complete = new HandMadeCell("drey", 1).seconds(true, 50).checkpoint(true, true, 10);
        HandMadeCell pending = new HandMadeCell("drey", 2)
                .seconds(true, 50)
                .checkpoint(false, true, 10)
                .checkpoint(true, true, 10)
                .checkpoint(true, false, 10);
        HandMadeCell failed = new HandMadeCell("drey", 3)
                .seconds(true, 50)
                .failedCheckpoint(false, "too early")
                .failedCheckpoint(true, "expired")
                .failedCheckpoint(true, "declined");
        assertThat(only(complete, pending, failed).notes())
                .containsExactly(
                        "Repetition 2: 1 of 2 measured checkpoints did not complete.",
                        "Repetition 3: 2 of 2 measured checkpoints did not complete.",
                        "Repetition 3: Flink reported 3 as failed, the last one: declined.");
        assertThat(LostCheckpoints.sentence(HandMadeCell.comparison(null, complete, pending, failed)))
                .isEqualTo("Checkpoints did not complete in 2 of 3 cells, in job/drey/3 2 of 2 measured ones; Flink"
                        + " reported 3 as failed: the report says where.");
        assertThat(LostCheckpoints.sentence(HandMadeCell.comparison(null, complete)))
                .isNull();
    }

    @Test
    void theSpreadOfRatiosIsWhereRepeatedRunsFall() {
        Spread spread = Spread.ofRatios(List.of(2.0, 3.0, 5.0));
        // Logarithms 0.6931, 1.0986, 1.6094: mean 1.1337, deviation 0.4592; 4.303 · 0.4592 · √(2/3) = 1.6133.
        assertThat(spread.min()).isCloseTo(Math.exp(1.1337 - 1.6133), within(0.001));
        assertThat(spread.max()).isCloseTo(Math.exp(1.1337 + 1.6133), within(0.02));
        assertThat(Spread.ofRatios(List.of(2.0))).isEqualTo(new Spread(2, 2, 2, List.of(2.0)));
        assertThat(Spread.ofRatios(List.of(0.0, 1.0))).isEqualTo(new Spread(0.5, 0, 1, List.of(0.0, 1.0)));
    }

    @Test
    void nineteenOfTwentyRepeatedRunsFallIntoIt() {
        Random random = new Random(7);
        int inside = 0;
        int runs = 4_000;
        for (int i = 0; i < runs; i++) {
            Spread first = Spread.ofRatios(run(random));
            double again = Spread.ofRatios(run(random)).median();
            inside += first.min() <= again && again <= first.max() ? 1 : 0;
        }
        assertThat(inside / (double) runs).isBetween(0.93, 0.98);
    }

    private static List<Double> run(Random random) {
        return List.of(noisy(random), noisy(random), noisy(random));
    }

    private static double noisy(Random random) {
        return 1.5 * Math.exp(0.2 * random.nextGaussian());
    }

    @Test
    void ratiosAreOfTheSameRepetition() {
        Figures figures = Figures.of(HandMadeCell.comparison(
                null,
                new HandMadeCell("drey", 1).seconds(true, 200),
                new HandMadeCell("rocksdb", 1).seconds(true, 100),
                new HandMadeCell("drey", 2).seconds(true, 900),
                new HandMadeCell("rocksdb", 2).seconds(true, 300),
                new HandMadeCell("drey", 3).seconds(true, 100),
                new HandMadeCell("rocksdb", 3).seconds(true, 100).error("it broke"),
                new HandMadeCell("drey", 4).seconds(true, 500),
                new HandMadeCell("rocksdb", 4).seconds(true, 100)));
        assertThat(figures.baselines()).containsExactly("rocksdb");
        ContenderFigures drey = figures.job(HandMadeCell.JOB).contender("drey");
        Spread ratio = drey.ratio("rocksdb", Figure.EVENTS_MEDIAN);
        assertThat(ratio.median()).isEqualTo(3);
        assertThat(ratio.values()).containsExactly(2.0, 3.0, 5.0);
        assertThat(drey.figure(Figure.EVENTS_MEDIAN).median()).isEqualTo(350);
        assertThat(drey.ratio("rocksdb", Figure.CPU_TASK)).isNull();
        assertThat(figures.job(HandMadeCell.JOB).contender("rocksdb").notes())
                .containsExactly("Repetition 3 failed: it broke");
    }

    @Test
    void aBurstEndsWhenItsCreditIsUsedUp() {
        // A second uses 10 reads of 256 KB and 5 writes, and the disk gives 5 back; 5 left are as good as none.
        HandMadeCell cell = new HandMadeCell("drey", 1).seconds(true, 1, 1, 1, 1, 1);
        assertThat(burst(cell, 35)).isEqualTo(3);
        assertThat(burst(cell, 36)).isEqualTo(4);
        assertThat(burst(cell, 56)).isNull();
        assertThat(burst(cell, 0)).isNull();
    }

    @Test
    void theRateThatLastsIsTheOneAfterTheBurst() {
        HandMadeCell cell = new HandMadeCell("drey", 1).seconds(true, 900, 800, 700, 30, 50);
        Comparison comparison = HandMadeCell.comparison(new Comparison.Disk(5, 0, 100, 30), cell);
        ContenderFigures drey =
                Figures.of(comparison).jobs().get(0).contenders().get(0);
        assertThat(median(drey, Figure.EVENTS_AFTER_BURST)).isEqualTo(40);
        assertThat(only(cell).figure(Figure.EVENTS_AFTER_BURST)).isNull();
    }

    private static Double burst(HandMadeCell cell, long credits) {
        Comparison comparison = HandMadeCell.comparison(new Comparison.Disk(5, 0, 100, credits), cell);
        Spread spread = Figures.of(comparison).jobs().get(0).contenders().get(0).figure(Figure.BURST_USED_UP);
        return spread == null ? null : spread.median();
    }

    @Test
    void figuresAreTheSameAfterAJourneyThroughJson() throws Exception {
        Figures figures = Figures.of(MadeUpComparison.whole(1));
        Path file = scratch.resolve("figures.json");
        ResultJson.write(file, figures);
        assertThat(ResultJson.read(file, Figures.class)).isEqualTo(figures);
    }

    @Test
    void namesAreUnique() {
        Set<String> names = new HashSet<>();
        for (Figure figure : Figure.values()) {
            assertThat(names.add(figure.json())).as(figure.json()).isTrue();
        }
    }
}
