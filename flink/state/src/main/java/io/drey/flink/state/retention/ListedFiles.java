package io.drey.flink.state.retention;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.AbstractChannelStateHandle;
import org.apache.flink.runtime.state.AbstractMergedChannelStateHandle;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;

/** The files that a checkpoint lists, in whatever kinds of handles Flink 2.3 has. */
public final class ListedFiles {
    private ListedFiles() {}

    static Set<String> paths(CheckpointMetadata metadata) {
        Set<String> paths = new HashSet<>();
        for (OperatorState operator : metadata.getOperatorStates()) {
            addPaths(operator.getCoordinatorState(), paths);
            for (OperatorSubtaskState subtask : operator.getSubtaskStates().values()) {
                subtask.getManagedOperatorState().forEach(each -> addPaths(each, paths));
                subtask.getRawOperatorState().forEach(each -> addPaths(each, paths));
                subtask.getManagedKeyedState().forEach(each -> addPaths(each, paths));
                subtask.getRawKeyedState().forEach(each -> addPaths(each, paths));
                subtask.getInputChannelState().forEach(each -> addPaths(each, paths));
                subtask.getResultSubpartitionState().forEach(each -> addPaths(each, paths));
            }
        }
        return paths;
    }

    static Set<String> paths(Collection<? extends StateObject> objects) {
        Set<String> paths = new HashSet<>();
        objects.forEach(each -> addPaths(each, paths));
        return paths;
    }

    private static void addPaths(StateObject object, Set<String> paths) {
        forEach(object, file -> file.maybeGetPath().ifPresent(path -> paths.add(path.toString())));
    }

    /** Hands over the handle of each file as often as it is listed; also of small ones, which lie in the meta data. */
    public static void forEach(StateObject object, Consumer<StreamStateHandle> files) {
        if (object instanceof IncrementalRemoteKeyedStateHandle incremental) {
            incremental.getSharedState().stream()
                    .map(HandleAndLocalPath::getHandle)
                    .forEach(each -> forEach(each, files));
            incremental.getPrivateState().stream()
                    .map(HandleAndLocalPath::getHandle)
                    .forEach(each -> forEach(each, files));
            forEach(incremental.getMetaDataStateHandle(), files);
        } else if (object instanceof KeyGroupsStateHandle keyGroups) {
            forEach(keyGroups.getDelegateStateHandle(), files);
        } else if (object instanceof OperatorStateHandle operator) {
            forEach(operator.getDelegateStateHandle(), files);
        } else if (object instanceof ChangelogStateBackendHandle changelog) {
            changelog.getMaterializedStateHandles().forEach(each -> forEach(each, files));
            changelog.getNonMaterializedStateHandles().forEach(each -> forEach(each, files));
        } else if (object instanceof ChangelogStateHandleStreamImpl changes) {
            changes.getHandlesAndOffsets().forEach(section -> forEach(section.f0, files));
        } else if (object instanceof AbstractChannelStateHandle<?> channel) {
            forEach(channel.getDelegate(), files);
        } else if (object instanceof AbstractMergedChannelStateHandle<?, ?> channels) {
            forEach(channels.getDelegate(), files);
        } else if (object instanceof StreamStateHandle stream) {
            files.accept(stream);
        }
    }
}
