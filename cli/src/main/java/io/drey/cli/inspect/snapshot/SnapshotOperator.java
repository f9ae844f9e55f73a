package io.drey.cli.inspect.snapshot;

import java.io.IOException;
import java.util.List;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * An operator of a snapshot.
 *
 * @param name its name and uid as far as the snapshot has them, else its id
 * @param keyed the keyed state of its subtasks, in the order of their key groups
 * @param operatorBytes bytes of its operator state
 * @param operatorState the files of its operator state
 * @param inFlightBytes bytes of records that were under way, in an unaligned checkpoint
 */
public record SnapshotOperator(
        String id,
        String name,
        String uid,
        int parallelism,
        int maxParallelism,
        List<SubtaskPart> keyed,
        long operatorBytes,
        List<StreamStateHandle> operatorState,
        long inFlightBytes) {
    /** The keyed state of a subtask. */
    public record SubtaskPart(int subtask, KeyedPart part) {}

    /** Reads the files of the operator state, which have no checksums, and throws if one is not as long as it was. */
    public void verifyOperatorState(KeyedPart.ByteCount progress) throws IOException {
        for (StreamStateHandle file : operatorState) {
            HandleCheck.whole(file, progress);
        }
    }

    public long keyedBytes() {
        return keyed.stream().mapToLong(each -> each.part().bytes()).sum();
    }

    public long bytes() {
        return keyedBytes() + operatorBytes + inFlightBytes;
    }

    /** Whether somebody means this operator. */
    public boolean isCalled(String text) {
        return text.equals(id) || text.equals(name) || text.equals(uid);
    }
}
