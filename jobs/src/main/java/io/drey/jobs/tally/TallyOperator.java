package io.drey.jobs.tally;

import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;

/**
 * Adds its input to a tally that is part of every checkpoint, and gives it away at the end of the input: downstream,
 * or, if it is the last, into the result of the job. So a row counts once, however often the job fails and recovers.
 *
 * <p>An operator and not a function, because only operators learn that the input has ended.
 *
 * @param <T> what is added up
 */
abstract class TallyOperator<T> extends AbstractStreamOperator<Tally>
        implements OneInputStreamOperator<T, Tally>, BoundedOneInput {
    private static final long serialVersionUID = 1L;

    private transient ListState<Tally> state;

    /** What was added since the job first started, in this subtask. */
    protected transient Tally tally;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        tally = new Tally();
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("tally", Tally.class));
        for (Tally part : state.get()) {
            tally.merge(part);
        }
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        state.clear();
        state.add(tally.copy());
    }
}
