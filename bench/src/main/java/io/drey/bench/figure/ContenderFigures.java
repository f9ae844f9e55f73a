package io.drey.bench.figure;

import java.util.List;
import java.util.Map;

/**
 * The figures of one contender on one job.
 *
 * @param contender its name
 * @param repetitions numbers of the measured repetitions that succeeded, in order
 * @param notes what a reader has to know before believing the figures: failures, too few repetitions; one sentence each
 * @param figures by {@link Figure#json()}; absent if no repetition has it
 * @param ratios by name of the baseline, then by {@link Figure#json()}: this contender's value divided by the
 *     baseline's in the same repetition
 */
public record ContenderFigures(
        String contender,
        List<Integer> repetitions,
        List<String> notes,
        Map<String, Spread> figures,
        Map<String, Map<String, Spread>> ratios) {

    /** A figure, or null. */
    public Spread figure(Figure figure) {
        return figures.get(figure.json());
    }

    /** A ratio, or null. */
    public Spread ratio(String baseline, Figure figure) {
        return ratios.getOrDefault(baseline, Map.of()).get(figure.json());
    }
}
