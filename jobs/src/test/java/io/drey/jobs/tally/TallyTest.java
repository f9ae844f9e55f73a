package io.drey.jobs.tally;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A tally does not depend on the order of rows, nor on how they are divided. */
class TallyTest {
    private record Row(long timestampMs, String line) implements ResultRow {
        @Override
        public long digest() {
            return Digest.end(Digest.text(Digest.number(Digest.START, timestampMs), line));
        }
    }

    @Test
    void anyOrderAndAnyDivisionGiveTheSame() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            rows.add(new Row(i % 7, "row " + i % 50));
        }
        Tally expected = tally(rows);
        assertThat(expected.count).isEqualTo(200);
        assertThat(expected.first())
                .isEqualTo(rows.stream()
                        .sorted(Comparator.comparingLong(Row::timestampMs).thenComparing(Row::line))
                        .limit(Tally.FIRST_ROWS)
                        .map(Row::line)
                        .toList());
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            Collections.shuffle(rows, random);
            int cut = random.nextInt(rows.size());
            Tally parts = tally(rows.subList(0, cut));
            parts.merge(tally(rows.subList(cut, rows.size())));
            assertThat(parts).as("seed %d", seed).usingRecursiveComparison().isEqualTo(expected);
        }
    }

    @Test
    void aMissingADoubledAndAChangedRowShow() {
        List<Row> rows = List.of(new Row(1, "a"), new Row(2, "b"), new Row(3, "c"));
        long checksum = tally(rows).checksum;

        assertThat(tally(rows.subList(0, 2)).checksum).isNotEqualTo(checksum);
        assertThat(tally(List.of(rows.get(0), rows.get(1), rows.get(1))).checksum)
                .isNotEqualTo(checksum);
        assertThat(tally(List.of(rows.get(0), rows.get(1), new Row(3, "d"))).checksum)
                .isNotEqualTo(checksum);
    }

    @Test
    void aCopyIsIndependent() {
        Tally tally = tally(List.of(new Row(1, "a")));
        Tally copy = tally.copy();
        tally.add(new Row(0, "b"));

        assertThat(copy.count).isEqualTo(1);
        assertThat(copy.first()).containsExactly("a");
    }

    private static Tally tally(List<Row> rows) {
        Tally tally = new Tally();
        rows.forEach(tally::add);
        return tally;
    }
}
