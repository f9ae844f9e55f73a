package io.drey.jobs.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.jobs.generate.EventTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DigestBoardTest {
    private static final long START_MS = EventTime.START_MS;

    @BeforeEach
    @AfterEach
    void reset() {
        DigestBoard.reset();
    }

    @Test
    void aBucketIsShownWhenAllSubtasksHaveCompletedIt() {
        Buckets one = new Buckets();
        one.add(0, 2, 10);
        one.add(1, 1, 7);
        Buckets other = new Buckets();
        other.add(0, 1, -1);
        DigestBoard.begin(0, 2);
        DigestBoard.publish(0, one, 2);
        assertThat(DigestBoard.complete()).isEmpty();
        DigestBoard.begin(1, 2);
        assertThat(DigestBoard.complete()).isEmpty();
        DigestBoard.publish(1, other, 1);
        assertThat(DigestBoard.complete()).containsExactly(new BucketDigest(START_MS, 3, 9));
        DigestBoard.publish(1, other, 3);
        DigestBoard.publish(0, one, 3);
        assertThat(DigestBoard.complete())
                .containsExactly(
                        new BucketDigest(START_MS, 3, 9),
                        new BucketDigest(START_MS + 10_000, 1, 7),
                        new BucketDigest(START_MS + 20_000, 0, 0));
    }

    @Test
    void aSubtaskThatBeginsAgainReplacesWhatItShowed() {
        Buckets buckets = new Buckets();
        buckets.add(0, 1, 1);
        DigestBoard.begin(0, 1);
        DigestBoard.publish(0, buckets, 1);
        DigestBoard.begin(0, 1);
        assertThat(DigestBoard.complete()).isEmpty();
        DigestBoard.publish(0, buckets, 1);
        assertThat(DigestBoard.complete()).containsExactly(new BucketDigest(START_MS, 1, 1));
    }

    @Test
    void timesWithoutABucketAreTold() {
        assertThat(DigestBoard.bucket(START_MS)).isZero();
        assertThat(DigestBoard.bucket(START_MS + 9_999)).isZero();
        assertThat(DigestBoard.bucket(START_MS + 10_000)).isEqualTo(1);
        assertThat(DigestBoard.bucket(START_MS - 1)).isEqualTo(-1);
        assertThat(DigestBoard.bucket(Long.MAX_VALUE)).isEqualTo(-1);
        assertThat(DigestBoard.bucket(Long.MIN_VALUE)).isEqualTo(-1);
    }

    @Test
    void bucketsComeBackFromACheckpointAndAddUp() {
        Buckets buckets = new Buckets();
        for (int bucket = 0; bucket < 1_000; bucket += 3) {
            buckets.add(bucket, bucket, Long.MAX_VALUE - bucket);
        }
        Buckets back = new Buckets();
        back.addArray(buckets.toArray());
        assertThat(back.toArray()).isEqualTo(buckets.toArray());
        assertThat(back.size()).isEqualTo(1_000);
        back.addArray(buckets.toArray());
        assertThat(back.rows(999)).isEqualTo(2 * 999);
        assertThat(back.sum(999)).isEqualTo(2 * (Long.MAX_VALUE - 999));
        assertThat(back.rows(1_000)).isZero();
    }
}
