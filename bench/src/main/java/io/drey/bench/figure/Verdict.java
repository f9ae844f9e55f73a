package io.drey.bench.figure;

import io.drey.bench.result.CellResult;
import io.drey.bench.result.Comparison;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Says whether a comparison is one to rely on: something was measured, nothing failed, and all outputs agree. */
public final class Verdict {
    private Verdict() {}

    /** The first thing that is wrong with a comparison, for the end of a sentence; empty if all is well. */
    public static Optional<String> problem(Comparison comparison, Figures figures) {
        for (CellResult cell : comparison.cells()) {
            if (cell.error() != null) {
                return Optional.of("that " + cell.spec().id() + " failed");
            }
        }
        for (JobFigures job : figures.jobs()) {
            if (job.contenders().stream()
                    .allMatch(contender -> contender.repetitions().isEmpty())) {
                return Optional.of("nothing measured of " + job.job());
            }
            if (job.agreement().status() == Agreement.Status.DIFFERENT) {
                return Optional.of("that outputs of " + job.job() + " differ");
            }
            if (job.agreement().status() == Agreement.Status.NOT_COMPARABLE && withState(comparison, job.job()) > 1) {
                return Optional.of("that outputs of " + job.job() + " could not be compared");
            }
        }
        return Optional.empty();
    }

    /** What makes figures doubtful although all is well, a sentence each. */
    public static List<String> warnings(Comparison comparison) {
        return Stream.of(LostCheckpoints.sentence(comparison), OtherLoad.sentence(comparison))
                .filter(Objects::nonNull)
                .toList();
    }

    /** How many contenders with state were measured on a job: the output of a single one is compared with nobody's. */
    public static long withState(Comparison comparison, String job) {
        return comparison.cells().stream()
                .filter(cell -> cell.error() == null && !cell.spec().fills())
                .filter(cell ->
                        cell.spec().job().equals(job) && !cell.spec().load().stateless())
                .map(cell -> cell.spec().contender())
                .distinct()
                .count();
    }
}
