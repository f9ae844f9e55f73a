package io.drey.bench.figure;

import io.drey.bench.result.Comparison;
import java.util.List;

/**
 * The figures of a comparison, as they are kept in {@code figures.json}.
 *
 * @param format version of this shape
 * @param baselines names of the contenders that ratios are against, the most telling first; may be empty
 * @param jobs in the order of the report
 */
public record Figures(int format, List<String> baselines, List<JobFigures> jobs) {
    /** The shape that this version writes. */
    public static final int FORMAT = 1;

    /** Baselines if a user names none: those of them that took part. */
    public static final List<String> USUAL_BASELINES = List.of("rocksdb-tuned", "rocksdb");

    /** The figures of a comparison against the usual baselines. */
    public static Figures of(Comparison comparison) {
        List<String> present = comparison.contenders().stream()
                .map(Comparison.ContenderInfo::name)
                .toList();
        return of(comparison, USUAL_BASELINES.stream().filter(present::contains).toList());
    }

    /** The figures of a comparison against baselines of one's choice. */
    public static Figures of(Comparison comparison, List<String> baselines) {
        return new FigureCalculation(comparison, baselines).figures();
    }

    /** The figures of a job, or null. */
    public JobFigures job(String name) {
        for (JobFigures job : jobs) {
            if (job.job().equals(name)) {
                return job;
            }
        }
        return null;
    }
}
