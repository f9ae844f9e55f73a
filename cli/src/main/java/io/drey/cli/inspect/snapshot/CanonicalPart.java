package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.file.BufferedHandle;
import io.drey.cli.inspect.file.BufferedHandle.ByteCount;
import io.drey.cli.inspect.file.Handles;
import io.drey.cli.inspect.row.RowScope;
import io.drey.cli.inspect.row.RowVisitor;
import io.drey.cli.inspect.row.StateInfo;
import io.drey.cli.inspect.snapshot.PartFiles.PartFile;
import io.drey.foundation.DreyException;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.StateSerializerProvider;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.restore.FullSnapshotRestoreOperation;
import org.apache.flink.runtime.state.restore.KeyGroup;
import org.apache.flink.runtime.state.restore.KeyGroupEntry;
import org.apache.flink.runtime.state.restore.SavepointRestoreResult;
import org.apache.flink.runtime.state.restore.ThrowingIterator;
import org.apache.flink.util.StateMigrationException;

/** A canonical savepoint of one subtask, whichever backend wrote it; read by Flink's own code. */
final class CanonicalPart implements KeyedPart {
    private static final int KEY_GROUPS_A_CHECK = 8;

    private final KeyGroupsStateHandle handle;
    private final int maxParallelism;
    private final ClassLoader classes;
    private final List<StateInfo> states;
    private final String problem;
    private final boolean isDamaged;

    CanonicalPart(KeyGroupsStateHandle handle, int maxParallelism, ClassLoader classes) {
        this.handle = handle;
        this.maxParallelism = maxParallelism;
        this.classes = classes;
        List<StateInfo> read = List.of();
        String wrong = null;
        boolean damaged = false;
        try {
            read = StateInfo.of(header());
        } catch (IOException | RuntimeException | LinkageError | OutOfMemoryError e) {
            wrong = MissingClass.sentence(e);
            damaged = MissingClass.of(e) == null;
        }
        this.states = read;
        this.problem = wrong;
        this.isDamaged = damaged;
    }

    private KeyedBackendSerializationProxy<?> header() throws IOException {
        KeyedBackendSerializationProxy<?> proxy = new KeyedBackendSerializationProxy<>(classes);
        try (org.apache.flink.core.fs.FSDataInputStream in = handle.openInputStream()) {
            proxy.read(new DataInputViewStreamWrapper(in));
        }
        return proxy;
    }

    @Override
    public String format() {
        return "canonical";
    }

    @Override
    public int keyGroupFrom() {
        return handle.getKeyGroupRange().getStartKeyGroup();
    }

    @Override
    public int keyGroupTo() {
        return handle.getKeyGroupRange().getEndKeyGroup();
    }

    @Override
    public long bytes() {
        return handle.getStateSize();
    }

    @Override
    public List<StateInfo> states() {
        return states;
    }

    @Override
    public String problem() {
        return problem;
    }

    @Override
    public PartFiles files() {
        String name = Handles.describe(handle.getDelegateStateHandle());
        return new PartFiles(List.of(new PartFile(name, "savepoint", bytes(), -1, -1)), null);
    }

    @Override
    public boolean rows(RowScope scope, RowVisitor visitor) throws IOException {
        if (problem != null) {
            throw new IOException(problem);
        }
        return rows(states.get(0).key(), bytes -> {}, scope, visitor);
    }

    private <K> boolean rows(TypeSerializer<K> key, ByteCount count, RowScope scope, RowVisitor visitor)
            throws IOException {
        KeyGroupsStateHandle buffered = new KeyGroupsStateHandle(
                handle.getGroupRangeOffsets(), new BufferedHandle(handle.getDelegateStateHandle(), count));
        FullSnapshotRestoreOperation<K> operation = new FullSnapshotRestoreOperation<>(
                handle.getKeyGroupRange(),
                classes,
                List.of(buffered),
                StateSerializerProvider.fromNewRegisteredSerializer(key));
        RowBytes bytes = new RowBytes(maxParallelism);
        try (ThrowingIterator<SavepointRestoreResult> parts = operation.restore()) {
            while (parts.hasNext()) {
                try (ThrowingIterator<KeyGroup> groups = parts.next().getRestoredKeyGroups()) {
                    while (groups.hasNext()) {
                        if (!rows(groups.next(), bytes, scope, visitor)) {
                            return false;
                        }
                    }
                }
            }
            return true;
        } catch (StateMigrationException e) {
            throw new IOException(
                    "the serializers of " + Handles.describe(handle.getDelegateStateHandle())
                            + " contradict each other: " + e.getMessage(),
                    e);
        } catch (EOFException | RuntimeException | LinkageError | OutOfMemoryError e) {
            throw unreadable(keyGroupFrom() + " to " + keyGroupTo(), e);
        }
    }

    /** A length that is damaged asks for more memory than there is, for less than none, or for what is not there. */
    private IOException unreadable(String groups, Throwable failure) {
        if (failure instanceof DreyException known) {
            throw known;
        }
        String missing = MissingClass.of(failure);
        if (missing != null) {
            return new IOException(
                    "key group " + groups + " cannot be read without class " + missing
                            + ": name the job's jar, and what it needs, with --classpath",
                    failure);
        }
        return new IOException(
                "key group " + groups + " of " + Handles.describe(handle.getDelegateStateHandle()) + " cannot be read ("
                        + failure + "): the savepoint is damaged, use another",
                failure);
    }

    private boolean rows(KeyGroup group, RowBytes bytes, RowScope scope, RowVisitor visitor)
            throws IOException, StateMigrationException {
        if (!scope.wants(group.getKeyGroupId())) {
            return true;
        }
        try (ThrowingIterator<KeyGroupEntry> entries = group.getKeyGroupEntries()) {
            while (entries.hasNext()) {
                KeyGroupEntry entry = entries.next();
                if (entry.getKvStateId() >= states.size()) {
                    throw new IOException("expected a state below " + states.size() + " in key group "
                            + group.getKeyGroupId() + " of " + Handles.describe(handle.getDelegateStateHandle())
                            + ", found " + entry.getKvStateId() + ": the savepoint is damaged");
                }
                StateInfo state = states.get(entry.getKvStateId());
                if (scope.wants(state)
                        && !visitor.visit(bytes.row(state, group.getKeyGroupId(), entry.getKey(), entry.getValue()))) {
                    return false;
                }
            }
        } catch (EOFException | RuntimeException | LinkageError | OutOfMemoryError e) {
            throw unreadable(group.getKeyGroupId() + "", e);
        }
        return true;
    }

    /** The format has no checksums: that all rows can be read is what there is to see. */
    @Override
    public List<FileCheck> checks() throws IOException {
        StreamStateHandle file = handle.getDelegateStateHandle();
        if (isDamaged && HandleCheck.isAsLong(file)) {
            throw new IOException(Handles.describe(file) + ": " + problem);
        }
        if (problem != null || !HandleCheck.isAsLong(file)) {
            return List.of(progress -> HandleCheck.whole(file, progress));
        }
        List<FileCheck> checks = new ArrayList<>();
        for (int group = keyGroupFrom(); group <= keyGroupTo(); group += KEY_GROUPS_A_CHECK) {
            KeyGroupsStateHandle some = handle.getIntersection(KeyGroupRange.of(group, group + KEY_GROUPS_A_CHECK - 1));
            // Each with serializers of its own: they serve one thread.
            checks.add(progress -> new CanonicalPart(some, maxParallelism, classes).readAll(progress));
        }
        return checks;
    }

    private void readAll(ByteCount progress) throws IOException {
        if (!states.isEmpty()) {
            rows(states.get(0).key(), progress, RowScope.ALL, row -> true);
        }
    }
}
