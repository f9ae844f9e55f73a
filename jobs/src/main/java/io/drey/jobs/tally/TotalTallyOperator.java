package io.drey.jobs.tally;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** The tally of all subtasks, published as an accumulator of the job when everything is in. */
final class TotalTallyOperator extends TallyOperator<Tally> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(StreamRecord<Tally> element) {
        tally.merge(element.getValue());
    }

    @Override
    public void endInput() {
        TallyAccumulator accumulator = new TallyAccumulator();
        accumulator.add(tally);
        getRuntimeContext().addAccumulator(ResultTally.ACCUMULATOR, accumulator);
    }
}
