package io.drey.cli.inspect.snapshot;

import java.util.List;
import org.apache.flink.runtime.state.StreamStateHandle;

/**
 * An operator of a snapshot.
 *
 * @param name its name and uid as far as the snapshot has them, else its id
 * @param keyed the keyed state of its subtasks, in the order of their key groups
 * @param operatorBytes bytes of its operator state, and of raw keyed state
 * @param plainFiles the files of these and of what was under way, those not named by an operator before
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
        List<StreamStateHandle> plainFiles,
        long inFlightBytes) {
    /** The keyed state of a subtask. */
    public record SubtaskPart(int subtask, KeyedPart part) {}

    /** Of the files that have no checksums, whether they are as long as they were. */
    public List<FileCheck> plainChecks() {
        return plainFiles.stream()
                .<FileCheck>map(file -> progress -> HandleCheck.whole(file, progress))
                .toList();
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
