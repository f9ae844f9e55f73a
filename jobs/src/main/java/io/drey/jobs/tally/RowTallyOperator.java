package io.drey.jobs.tally;

import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The tally of the rows of one subtask.
 *
 * @param <R> the type of row
 */
final class RowTallyOperator<R extends ResultRow> extends TallyOperator<R> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(StreamRecord<R> element) {
        tally.add(element.getValue());
    }

    @Override
    public void endInput() {
        output.collect(new StreamRecord<>(tally));
        // What was given away must not be given away again from a checkpoint taken after the end.
        tally = new Tally();
    }
}
