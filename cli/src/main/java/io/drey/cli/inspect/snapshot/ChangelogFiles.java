package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.file.Handles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateHandleStreamImpl;

/** The files of keyed state under Flink's changelog: what was materialized, and the changes since. */
final class ChangelogFiles {
    private final Path directory;
    private final Set<StreamStateHandle> seen;
    private final Map<String, StreamStateHandle> files = new LinkedHashMap<>();

    private ChangelogFiles(Path directory, Set<StreamStateHandle> seen) {
        this.directory = directory;
        this.seen = seen;
    }

    /** Those that were not seen yet, by name: tasks share files of changes. */
    static Map<String, StreamStateHandle> of(
            ChangelogStateBackendHandle handle, Path directory, Set<StreamStateHandle> seen) {
        ChangelogFiles files = new ChangelogFiles(directory, seen);
        handle.getMaterializedStateHandles().forEach(files::add);
        handle.getNonMaterializedStateHandles().forEach(files::add);
        return files.files;
    }

    private void add(StateObject object) {
        if (object instanceof IncrementalRemoteKeyedStateHandle incremental) {
            incremental.getSharedState().stream()
                    .map(HandleAndLocalPath::getHandle)
                    .forEach(this::add);
            incremental.getPrivateState().stream()
                    .map(HandleAndLocalPath::getHandle)
                    .forEach(this::add);
            add(incremental.getMetaDataStateHandle());
        } else if (object instanceof KeyGroupsStateHandle keyGroups) {
            add(keyGroups.getDelegateStateHandle());
        } else if (object instanceof ChangelogStateHandleStreamImpl changes) {
            changes.getHandlesAndOffsets().forEach(section -> add(section.f0));
        } else if (object instanceof StreamStateHandle stream && seen.add(stream)) {
            StreamStateHandle near = Handles.near(directory, stream);
            String name = OtherPart.name(near);
            files.put(files.containsKey(name) ? name + " (" + files.size() + ")" : name, near);
        }
    }
}
