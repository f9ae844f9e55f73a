package io.drey.flink.state.retention;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
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

/** The paths of all files that a checkpoint lists, in whatever kinds of handles Flink 2.3 has. */
final class ListedPaths {
    private final Set<String> paths = new HashSet<>();

    private ListedPaths() {}

    static Set<String> of(CheckpointMetadata metadata) {
        ListedPaths listed = new ListedPaths();
        for (OperatorState operator : metadata.getOperatorStates()) {
            listed.add(operator.getCoordinatorState());
            for (OperatorSubtaskState subtask : operator.getSubtaskStates().values()) {
                subtask.getManagedOperatorState().forEach(listed::add);
                subtask.getRawOperatorState().forEach(listed::add);
                subtask.getManagedKeyedState().forEach(listed::add);
                subtask.getRawKeyedState().forEach(listed::add);
                subtask.getInputChannelState().forEach(listed::add);
                subtask.getResultSubpartitionState().forEach(listed::add);
            }
        }
        return listed.paths;
    }

    static Set<String> of(Collection<? extends StateObject> objects) {
        ListedPaths listed = new ListedPaths();
        objects.forEach(listed::add);
        return listed.paths;
    }

    private void add(StateObject object) {
        if (object instanceof IncrementalRemoteKeyedStateHandle files) {
            files.getSharedState().stream().map(HandleAndLocalPath::getHandle).forEach(this::add);
            files.getPrivateState().stream().map(HandleAndLocalPath::getHandle).forEach(this::add);
            add(files.getMetaDataStateHandle());
        } else if (object instanceof KeyGroupsStateHandle keyGroups) {
            add(keyGroups.getDelegateStateHandle());
        } else if (object instanceof OperatorStateHandle operator) {
            add(operator.getDelegateStateHandle());
        } else if (object instanceof ChangelogStateBackendHandle changelog) {
            changelog.getMaterializedStateHandles().forEach(this::add);
            changelog.getNonMaterializedStateHandles().forEach(this::add);
        } else if (object instanceof ChangelogStateHandleStreamImpl changes) {
            changes.getHandlesAndOffsets().forEach(handle -> add(handle.f0));
        } else if (object instanceof AbstractChannelStateHandle<?> channel) {
            add(channel.getDelegate());
        } else if (object instanceof AbstractMergedChannelStateHandle<?, ?> channels) {
            add(channels.getDelegate());
        } else if (object instanceof StreamStateHandle stream) {
            stream.maybeGetPath().ifPresent(path -> paths.add(path.toString()));
        }
    }
}
