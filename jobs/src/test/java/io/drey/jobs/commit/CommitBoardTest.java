package io.drey.jobs.commit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommitBoardTest {
    private static final long MS = 1_000_000;

    @BeforeEach
    void begin() {
        CommitBoard.begin();
    }

    private static RowCounts counts(long... createdMs) {
        RowCounts counts = new RowCounts();
        for (long created : createdMs) {
            counts.add(created * MS);
        }
        return counts;
    }

    private static void check(long rows, long p50Ms, long p99Ms) {
        assertThat(CommitBoard.rows()).isEqualTo(rows);
        assertThat(CommitBoard.latencyMs(50)).hasValue(p50Ms);
        assertThat(CommitBoard.latencyMs(99)).hasValue(p99Ms);
    }

    @Test
    void nothingCountsBeforeItIsVisible() {
        assertThat(CommitBoard.latencyMs(50)).isEmpty();
        CommitBoard.prepared("a", counts(1, 2));
        assertThat(CommitBoard.latencyMs(50)).isEmpty();
        CommitBoard.visible("a", 12 * MS);
        check(2, 10, 11);
        CommitBoard.begin();
        assertThat(CommitBoard.latencyMs(50)).isEmpty();
    }

    @Test
    void aFileCountsOnce() {
        CommitBoard.prepared("a", counts(1));
        CommitBoard.visible("a", 5 * MS);
        CommitBoard.visible("a", 6 * MS);
        CommitBoard.visible("of another job", 6 * MS);
        check(1, 4, 4);
    }

    @Test
    void rowsOfOneTimeCountEach() {
        long[] created = new long[200];
        created[198] = 50;
        created[199] = 99;
        RowCounts counts = counts(created);
        assertThat(counts.size()).isEqualTo(3);
        CommitBoard.prepared("a", counts);
        CommitBoard.visible("a", 100 * MS);
        check(200, 100, 100);
        CommitBoard.prepared("b", counts(-9_000_000));
        CommitBoard.visible("b", 0);
        check(201, 100, 100);
    }

    @Test
    void percentilesAreOfAllRows() {
        long[] created = new long[1_000];
        for (int i = 0; i < created.length; i++) {
            created[i] = i;
        }
        CommitBoard.prepared("a", counts(created));
        CommitBoard.visible("a", 1_000 * MS);
        check(1_000, 500, 990);
    }
}
