package io.drey.jobs.digest;

import io.drey.jobs.generate.EventTime;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Adds the rows of a job to buckets that are part of every checkpoint, and shows complete buckets on the {@link
 * DigestBoard}. Runs of different length and speed can be compared by the buckets that both completed. A row for a
 * bucket that is complete is an error, as it would make a shown digest wrong.
 *
 * <p>A task that is cancelled leaves out the timers that are due and still passes the watermark on, so that a bucket may
 * look complete then and is not shown.
 *
 * <p>An operator and not a sink, because it needs watermarks and should be chained to what makes the rows. Hot path.
 */
public final class DigestOperator extends AbstractStreamOperator<OutputRow>
        implements OneInputStreamOperator<OutputRow, OutputRow> {
    private static final long serialVersionUID = 1L;

    private static final String NAME = "digest";

    private transient ListState<long[]> bucketState;
    private transient ListState<Integer> completeState;
    private transient Buckets buckets;
    private transient int subtask;

    /** Buckets before this one are complete. */
    private transient int complete;

    private DigestOperator() {}

    /** Ends a job: the operator goes into the task that makes the rows, as both have the default parallelism. */
    public static void attach(DataStream<OutputRow> rows) {
        rows.transform(NAME, OutputRow.TYPE, new DigestOperator()).uid(NAME);
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        bucketState = context.getOperatorStateStore()
                .getListState(
                        new ListStateDescriptor<>("buckets", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
        completeState =
                context.getOperatorStateStore().getUnionListState(new ListStateDescriptor<>("complete", Types.INT));
        buckets = new Buckets();
        for (long[] part : bucketState.get()) {
            buckets.addArray(part);
        }
        complete = leastComplete();
        subtask = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
        DigestBoard.begin(subtask, getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks());
        DigestBoard.publish(subtask, buckets, complete);
    }

    /** Over all subtasks of before, as after a change of the parallelism buckets are elsewhere. */
    private int leastComplete() throws Exception {
        int least = Integer.MAX_VALUE;
        for (int part : completeState.get()) {
            least = Math.min(least, part);
        }
        return least == Integer.MAX_VALUE ? 0 : least;
    }

    @Override
    public void processElement(StreamRecord<OutputRow> element) {
        OutputRow row = element.getValue();
        int bucket = DigestBoard.bucket(row.eventTimeMs);
        if (bucket < complete) {
            throw unexpected(row.eventTimeMs);
        }
        buckets.add(bucket, 1, row.digest);
    }

    private IllegalStateException unexpected(long eventTimeMs) {
        return new IllegalStateException("Expected output rows with event times from "
                + (EventTime.START_MS + complete * DigestBoard.BUCKET_MS) + ", because the watermark has passed all "
                + "before, found one with " + eventTimeMs
                + ": the job emits late or wrong times, or a timer of the state backend was late.");
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        int nowComplete = DigestBoard.bucket(mark.getTimestamp() + 1);
        if (nowComplete > complete && !getContainingTask().isCanceled()) {
            DigestBoard.publish(subtask, buckets, nowComplete);
            complete = nowComplete;
        }
        super.processWatermark(mark);
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        bucketState.clear();
        bucketState.add(buckets.toArray());
        completeState.clear();
        completeState.add(complete);
    }
}
