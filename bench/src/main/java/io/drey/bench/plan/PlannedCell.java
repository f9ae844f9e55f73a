package io.drey.bench.plan;

import io.drey.bench.contender.Contender;

/**
 * A cell in its place in the plan.
 *
 * @param workload what runs
 * @param contender on what
 * @param repetition 0 fills the state, 1, 2, … measure
 */
public record PlannedCell(Workload workload, Contender contender, int repetition) {
    /** Whether the cell leaves the checkpoint that others start from. */
    public boolean fills() {
        return repetition == 0;
    }
}
