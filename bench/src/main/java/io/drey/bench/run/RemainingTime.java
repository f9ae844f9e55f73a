package io.drey.bench.run;

import io.drey.bench.plan.PlannedCell;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates how long the cells that are left will take: like the last one of the same workload, contender and kind,
 * else like the mean of that kind, else as the caller guessed.
 */
final class RemainingTime {
    private record Kind(String workload, String contender, boolean fills) {
        static Kind of(PlannedCell cell) {
            return new Kind(cell.workload().name(), cell.contender().name(), cell.fills());
        }
    }

    private static final class Mean {
        private long sumMs;
        private int count;
    }

    private final Duration fillGuess;
    private final Duration measureGuess;
    private final Map<Kind, Long> lastMs = new HashMap<>();
    private final Map<Boolean, Mean> means = new HashMap<>();

    RemainingTime(Duration fillGuess, Duration measureGuess) {
        this.fillGuess = fillGuess;
        this.measureGuess = measureGuess;
    }

    void took(PlannedCell cell, Duration duration) {
        lastMs.put(Kind.of(cell), duration.toMillis());
        Mean mean = means.computeIfAbsent(cell.fills(), fills -> new Mean());
        mean.sumMs += duration.toMillis();
        mean.count++;
    }

    Duration of(List<PlannedCell> left) {
        long sumMs = 0;
        for (PlannedCell cell : left) {
            sumMs += estimateMs(cell);
        }
        return Duration.ofMillis(sumMs);
    }

    private long estimateMs(PlannedCell cell) {
        Long last = lastMs.get(Kind.of(cell));
        if (last != null) {
            return last;
        }
        Mean mean = means.get(cell.fills());
        if (mean != null) {
            return mean.sumMs / mean.count;
        }
        return (cell.fills() ? fillGuess : measureGuess).toMillis();
    }
}
