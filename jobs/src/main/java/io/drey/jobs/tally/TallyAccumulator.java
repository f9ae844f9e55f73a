package io.drey.jobs.tally;

import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/** Carries the final tally to the client in the result of the job. */
final class TallyAccumulator implements SimpleAccumulator<Tally> {
    private static final long serialVersionUID = 1L;

    private Tally tally = new Tally();

    @Override
    public void add(Tally value) {
        tally.merge(value);
    }

    @Override
    public Tally getLocalValue() {
        return tally;
    }

    @Override
    public void resetLocal() {
        tally = new Tally();
    }

    @Override
    public void merge(Accumulator<Tally, Tally> other) {
        tally.merge(other.getLocalValue());
    }

    @Override
    public Accumulator<Tally, Tally> clone() {
        TallyAccumulator clone = new TallyAccumulator();
        clone.tally = tally.copy();
        return clone;
    }
}
