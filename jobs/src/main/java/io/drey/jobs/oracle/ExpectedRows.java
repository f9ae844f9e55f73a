package io.drey.jobs.oracle;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** Takes the expected rows, one by one. */
interface ExpectedRows {
    void row(long timestampMs, long digest, Supplier<String> line);

    /** Counts, sums and keeps the earliest rows. */
    final class Summing implements ExpectedRows {
        private static final int KEEP = 5;

        private record Early(long timestampMs, String line) {}

        private final List<Early> early = new ArrayList<>();
        private long count;
        private long checksum;

        @Override
        public void row(long timestampMs, long digest, Supplier<String> line) {
            count++;
            checksum += digest;
            if (early.size() == KEEP && early.get(KEEP - 1).timestampMs() < timestampMs) {
                return;
            }
            early.add(new Early(timestampMs, line.get()));
            early.sort(Comparator.comparingLong(Early::timestampMs).thenComparing(Early::line));
            if (early.size() > KEEP) {
                early.remove(KEEP);
            }
        }

        Expectation expectation() {
            return new Expectation(
                    count, checksum, early.stream().map(Early::line).toList());
        }
    }
}
