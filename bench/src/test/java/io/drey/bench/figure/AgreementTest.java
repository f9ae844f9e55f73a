package io.drey.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.bench.figure.Agreement.Status;
import io.drey.jobs.generate.EventTime;
import org.junit.jupiter.api.Test;

/** Outputs that count as the same, and the contenders that are named if they do not. */
class AgreementTest {
    private static HandMadeCell cell(String contender, int repetition) {
        return new HandMadeCell(contender, repetition).seconds(true, 1);
    }

    private static Agreement of(HandMadeCell... cells) {
        return Figures.of(HandMadeCell.comparison(null, cells)).jobs().get(0).agreement();
    }

    @Test
    void equalBucketsAgreeAndOthersDoNotCount() {
        Agreement agreement = of(
                cell("drey", 1).digest(0, 10, "a").digest(60, 20, "b").digest(120, 5, "c"),
                cell("rocksdb", 1).digest(0, 10, "a").digest(60, 20, "b"));
        assertThat(agreement.status()).isEqualTo(Status.AGREED);
        assertThat(agreement.commonBuckets()).isEqualTo(2);
        assertThat(agreement.commonRows()).isEqualTo(30);
        assertThat(agreement.dissents()).isEmpty();
        assertThat(agreement.unchecked()).isEmpty();
    }

    @Test
    void theMinorityIsNamed() {
        Agreement agreement = of(
                cell("drey", 1).digest(0, 10, "a").digest(60, 20, "x").digest(120, 1, "y"),
                cell("rocksdb", 1).digest(0, 10, "a").digest(60, 20, "b").digest(120, 1, "c"),
                cell("hashmap", 1).digest(0, 10, "a").digest(60, 20, "b").digest(120, 1, "c"));
        assertThat(agreement.status()).isEqualTo(Status.DIFFERENT);
        assertThat(agreement.dissents()).hasSize(1);
        Agreement.Dissent dissent = agreement.dissents().get(0);
        assertThat(dissent.contender()).isEqualTo("drey");
        assertThat(dissent.cells()).containsExactly("job/drey/1");
        assertThat(dissent.buckets()).isEqualTo(2);
        assertThat(dissent.firstStart()).isEqualTo(EventTime.of(60));
        assertThat(dissent.found()).isEqualTo("20 rows, sum x");
        assertThat(dissent.expected()).isEqualTo("20 rows, sum b");
    }

    @Test
    void amongTwoTheBaselineIsRight() {
        Agreement agreement =
                of(cell("drey", 1).digest(0, 10, "x"), cell("rocksdb", 1).digest(0, 10, "a"));
        assertThat(agreement.dissents())
                .extracting(Agreement.Dissent::contender)
                .containsExactly("drey");
    }

    @Test
    void rowsCountToo() {
        Agreement agreement =
                of(cell("drey", 1).digest(0, 11, "a"), cell("rocksdb", 1).digest(0, 10, "a"));
        assertThat(agreement.status()).isEqualTo(Status.DIFFERENT);
    }

    @Test
    void repetitionsOfOneContenderHaveToBeEqual() {
        Agreement agreement = of(
                cell("drey", 1).digest(0, 10, "a"),
                cell("drey", 2).digest(0, 10, "x"),
                cell("rocksdb", 1).digest(0, 10, "a"));
        assertThat(agreement.status()).isEqualTo(Status.DIFFERENT);
        assertThat(agreement.dissents().get(0).cells()).containsExactly("job/drey/2");
    }

    @Test
    void aBucketThatOneCellHasTwiceHasToBeEqual() {
        Agreement agreement = of(
                cell("drey", 1).digest(0, 10, "a").digest(0, 10, "x"),
                cell("rocksdb", 1).digest(0, 10, "a"));
        assertThat(agreement.status()).isEqualTo(Status.DIFFERENT);
    }

    @Test
    void nothingInCommonIsNoAgreement() {
        Agreement agreement =
                of(cell("drey", 1).digest(0, 10, "a"), cell("rocksdb", 1).digest(60, 10, "a"));
        assertThat(agreement.status()).isEqualTo(Status.NOT_COMPARABLE);
        assertThat(agreement.commonBuckets()).isZero();
        assertThat(agreement.unchecked()).containsExactly("job/drey/1", "job/rocksdb/1");
        assertThat(of(cell("drey", 1), cell("rocksdb", 1)).status()).isEqualTo(Status.NOT_COMPARABLE);
    }

    @Test
    void whatWasRestoredFromTheFillDoesNotShowThatOutputsAgree() {
        HandMadeCell[] fills = {
            cell("drey", 0).digest(0, 10, "a").digest(60, 20, "b"),
            cell("rocksdb", 0).digest(0, 10, "a")
        };
        HandMadeCell drey =
                cell("drey", 1).from(120).digest(0, 10, "a").digest(60, 20, "b").digest(120, 5, "c");
        HandMadeCell rocksdb = cell("rocksdb", 1).from(30).digest(0, 10, "a").digest(60, 20, "b");
        Agreement agreement = of(fills[0], fills[1], drey, rocksdb);
        assertThat(agreement.status()).isEqualTo(Status.NOT_COMPARABLE);
        assertThat(agreement.unchecked()).containsExactly("job/drey/1");

        Agreement further = of(fills[0], fills[1], drey, rocksdb.digest(120, 5, "c"));
        assertThat(further.status()).isEqualTo(Status.AGREED);
        assertThat(further.commonBuckets()).isEqualTo(3);
        assertThat(further.commonRows()).isEqualTo(35);
        assertThat(further.unchecked()).isEmpty();
    }

    @Test
    void theBucketInWhichARestoreLiesIsNotACellsOwn() {
        Agreement agreement = of(
                cell("drey", 1).from(61).digest(60, 20, "b"),
                cell("rocksdb", 1).from(60).digest(60, 20, "b"));
        assertThat(agreement.status()).isEqualTo(Status.NOT_COMPARABLE);
        assertThat(agreement.commonBuckets()).isZero();
    }

    @Test
    void whatWasRestoredMayStillDiffer() {
        Agreement agreement = of(
                cell("drey", 1).from(120).digest(0, 10, "x"),
                cell("rocksdb", 1).from(120).digest(0, 10, "a"));
        assertThat(agreement.status()).isEqualTo(Status.DIFFERENT);
    }

    @Test
    void oneContenderAloneIsNotChecked() {
        Agreement agreement =
                of(cell("drey", 1).digest(0, 10, "a"), cell("rocksdb", 1).digest(0, 10, "a"), cell("forst", 1));
        assertThat(agreement.status()).isEqualTo(Status.NOT_COMPARABLE);
        assertThat(agreement.unchecked()).containsExactly("job/forst/1");
    }

    @Test
    void aCellThatFailedNeedNotBeCheckedButMayStillDiffer() {
        assertThat(of(
                                cell("drey", 1).digest(0, 10, "a"),
                                cell("rocksdb", 1).digest(0, 10, "a"),
                                cell("forst", 1).error("out of memory"))
                        .status())
                .isEqualTo(Status.AGREED);
        assertThat(of(
                                cell("drey", 1).digest(0, 10, "a"),
                                cell("rocksdb", 1).digest(0, 10, "a"),
                                cell("forst", 1).digest(0, 10, "x").error("out of memory"))
                        .status())
                .isEqualTo(Status.DIFFERENT);
    }

    @Test
    void withoutStateTheOutputIsAnother() {
        Agreement agreement = of(
                cell("drey", 1).digest(0, 10, "a"),
                cell("rocksdb", 1).digest(0, 10, "a"),
                cell("no-state", 1).stateless().digest(0, 99, "z"));
        assertThat(agreement.status()).isEqualTo(Status.AGREED);
    }
}
