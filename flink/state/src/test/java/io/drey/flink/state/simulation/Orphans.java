package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;

/**
 * Files in the storage that nobody can know of any more, each with what made it so. They are unavoidable as long as
 * nobody compares the storage with all metadata; any other file that is left is a leak.
 */
final class Orphans {
    private final SimulatedStorage storage;
    private final Set<String> ofKills = new HashSet<>();
    private final Set<String> ofLostAcknowledgements = new HashSet<>();
    private final Set<String> ofJobManagers = new HashSet<>();
    private final Set<String> ofOtherJobs = new HashSet<>();

    Orphans(SimulatedStorage storage) {
        this.storage = storage;
    }

    /** A task's process was killed: of its files, only those that it has told of are known. */
    void killed(SimulatedStorage.Process process, Set<String> told) {
        Set<String> untold = storage.pathsOf(process);
        untold.removeAll(told);
        ofKills.addAll(untold);
    }

    /** What a task believes to be the job manager's, and the job manager has not heard of. */
    void lostAcknowledgement(OperatorSubtaskState state) {
        ofLostAcknowledgements.addAll(SimulatedJobManager.paths(state));
    }

    /** A job manager is gone and another one knows these files. */
    void jobManagerLost(SimulatedJobManager before, Set<String> taken) {
        Set<String> known = new TreeSet<>(before.known());
        known.removeAll(taken);
        ofJobManagers.addAll(known);
    }

    /** Checkpoints of an earlier job that the user keeps. */
    void left(Set<String> paths) {
        ofOtherJobs.addAll(paths);
    }

    /** Counts files that are left over, each of which must have a reason. */
    void explain(Set<String> leftOver, Tally tally) {
        Set<String> unknown = new TreeSet<>();
        for (String path : storage.byAge(leftOver)) {
            if (storage.undeleted().contains(path)) {
                tally.count(Event.ORPHAN_OF_DELETE);
            } else if (ofKills.contains(path)) {
                tally.count(Event.ORPHAN_OF_KILL);
            } else if (ofLostAcknowledgements.contains(path)) {
                tally.count(Event.ORPHAN_OF_LOST_ACK);
            } else if (ofJobManagers.contains(path)) {
                tally.count(Event.ORPHAN_OF_JOB_MANAGER);
            } else if (path.contains("/drey-claim-")) {
                tally.count(Event.CLAIM_WRITTEN);
            } else if (!ofOtherJobs.contains(path)) {
                unknown.add(path);
            }
        }
        if (!unknown.isEmpty()) {
            throw new AssertionError("expected each file in the storage to be of a checkpoint, or lost with a process,"
                    + " found without a reason: " + unknown);
        }
    }

    /** Files that a state refers to and did not upload. */
    static long referred(OperatorSubtaskState state) {
        long count = 0;
        for (KeyedStateHandle handle : state.getManagedKeyedState()) {
            for (HandleAndLocalPath file : ((IncrementalRemoteKeyedStateHandle) handle).getSharedState()) {
                count += file.getHandle() instanceof PlaceholderStreamStateHandle ? 1 : 0;
            }
        }
        return count;
    }

    /** Files of a state that share an object with others of it. */
    static long packed(OperatorSubtaskState state) {
        long files = 0;
        Set<String> objects = new HashSet<>();
        for (KeyedStateHandle handle : state.getManagedKeyedState()) {
            for (HandleAndLocalPath file : ((IncrementalRemoteKeyedStateHandle) handle).getSharedState()) {
                files++;
                objects.add(file.getHandle().getStreamStateHandleID().getKeyString());
            }
        }
        return files - objects.size();
    }

    /** The names of a state's files on the local disk. */
    static Set<String> localNames(KeyedStateHandle handle) {
        IncrementalRemoteKeyedStateHandle files = (IncrementalRemoteKeyedStateHandle) handle;
        Set<String> names = new TreeSet<>();
        files.getSharedState().forEach(file -> names.add(file.getLocalPath()));
        files.getPrivateState().forEach(file -> names.add(file.getLocalPath()));
        return names;
    }
}
