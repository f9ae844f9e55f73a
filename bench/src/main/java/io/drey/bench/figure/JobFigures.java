package io.drey.bench.figure;

import java.util.List;

/**
 * The figures of one job.
 *
 * @param job its name
 * @param agreement whether all contenders produced the same output
 * @param contenders in the order of the report, every one of the comparison
 */
public record JobFigures(String job, Agreement agreement, List<ContenderFigures> contenders) {
    /** The figures of a contender, or null. */
    public ContenderFigures contender(String name) {
        for (ContenderFigures contender : contenders) {
            if (contender.contender().equals(name)) {
                return contender;
            }
        }
        return null;
    }
}
