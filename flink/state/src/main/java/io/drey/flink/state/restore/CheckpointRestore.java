package io.drey.flink.state.restore;

import io.drey.checkpoint.manifest.Manifest;
import io.drey.checkpoint.restore.RescalePlan;
import io.drey.files.remote.Downloads;
import io.drey.flink.state.memory.StoreLease;
import io.drey.flink.state.restore.BackendRestore.Target;
import io.drey.flink.state.snapshot.CheckpointFormat;
import io.drey.flink.state.snapshot.SharedFiles;
import io.drey.flink.state.table.StateTables;
import io.drey.foundation.CorruptFileException;
import io.drey.store.Store;
import io.drey.store.StoreImage;
import io.drey.store.StoreImage.FileInfo;
import io.drey.store.entry.TableInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.filemerging.FileMergingSnapshotManager;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.StateMigrationException;

/**
 * Restores from checkpoints or native savepoints of Drey: their files as they are, of one parent or, after a change of
 * parallelism, of several, each cut to the key groups wanted.
 */
final class CheckpointRestore<K> {
    private final StoreLease lease;
    private final Target<K> target;
    private final CloseableRegistry cancellation;

    CheckpointRestore(StoreLease lease, Target<K> target, CloseableRegistry cancellation) {
        this.lease = lease;
        this.target = target;
        this.cancellation = cancellation;
    }

    RestoredBackend restore(List<KeyedStateHandle> handles) throws Exception {
        long began = System.nanoTime();
        List<ParentCheckpoint> parents = wanted(handles);
        List<KeyedBackendSerializationProxy<K>> states = new ArrayList<>();
        for (ParentCheckpoint parent : parents) {
            states.add(CheckpointFormat.states(parent.manifest(), target.classLoader()));
        }
        if (!states.isEmpty()) {
            checkKeySerializer(states.get(0));
        }
        long known = System.nanoTime();
        Map<String, StreamStateHandle> reusable = reusable(parents);
        Downloads later = target.lazy() && !isRewritten(parents) ? target.downloads() : null;
        cancellation.registerCloseable(target.downloads());
        long fetched;
        Store store;
        StateTables tables;
        try {
            new FileFetches(lease.directory(), later, target.trust(), target.transfers(), target.transferThreads())
                    .fetch(parents, reusable, cancellation);
            fetched = System.nanoTime();
            store = open(parents);
            if (later != null && !isLocal(parents)) {
                later.whenWhole(store::filesHaveCome);
                // At once: what the store expects since it was opened is what the job's first reads need.
                later.begin(target.transfers(), target.transferThreads());
            }
            tables = tables(store, parents, states);
        } finally {
            cancellation.unregisterCloseable(target.downloads());
        }
        RestoreReport.Times times =
                new RestoreReport.Times(known - began, fetched - known, System.nanoTime() - fetched);
        return new RestoredBackend(
                store,
                tables,
                SharedFiles.restored(reusable, target.executor()),
                target.downloads(),
                1
                        + parents.stream()
                                .mapToInt(parent -> parent.manifest().generation())
                                .max()
                                .orElse(-1),
                report(parents, times));
    }

    private StateTables tables(
            Store store, List<ParentCheckpoint> parents, List<KeyedBackendSerializationProxy<K>> states)
            throws StateMigrationException, InterruptedException {
        StateTables tables = new StateTables(store);
        for (int i = 0; i < parents.size(); i++) {
            byte[] source = parents.get(i).manifest().section(Manifest.STATE_META);
            StoreImage image = parents.get(i).image();
            KeyGroupRange keyGroups = new KeyGroupRange(image.keyGroupFrom(), image.keyGroupTo());
            for (StateMetaInfoSnapshot info : states.get(i).getStateMetaInfoSnapshots()) {
                tables.restore(info, source, keyGroups);
            }
        }
        return tables;
    }

    private Store open(List<ParentCheckpoint> parents) throws IOException {
        try {
            return lease.open(
                    target.keyGroups(),
                    parents.stream().map(ParentCheckpoint::image).toList());
        } catch (CorruptFileException e) {
            throw new IOException(e.getMessage() + origin(e.file(), parents), e);
        }
    }

    /** Where a file was fetched from: its name here says that to nobody. */
    private static String origin(String file, List<ParentCheckpoint> parents) {
        return parents.stream()
                .map(parent -> parent.handles().get(file))
                .filter(Objects::nonNull)
                .findFirst()
                .map(handle -> ". Here it came from " + ParentCheckpoint.describe(handle))
                .orElse("");
    }

    private static String name(Manifest manifest) {
        String writer = CheckpointFormat.writer(manifest);
        return manifest.checkpointId() + (writer == null ? "" : " by Drey " + writer);
    }

    /** Whether parents number tables differently: then the store reads much of their files before it is open. */
    private static boolean isRewritten(List<ParentCheckpoint> parents) {
        Map<String, Integer> numbers = new HashMap<>();
        Map<Integer, String> names = new HashMap<>();
        boolean differs = false;
        for (ParentCheckpoint parent : parents) {
            for (TableInfo table : parent.image().tables()) {
                Integer number = numbers.putIfAbsent(table.name(), table.number());
                String name = names.putIfAbsent(table.number(), table.name());
                differs |= number != null && number != table.number();
                differs |= name != null && !name.equals(table.name());
            }
        }
        return differs;
    }

    private static boolean isLocal(List<ParentCheckpoint> parents) {
        return !parents.isEmpty() && parents.stream().allMatch(parent -> parent.localDirectory() != null);
    }

    private RestoreReport report(List<ParentCheckpoint> parents, RestoreReport.Times times) {
        Map<String, Long> files = new HashMap<>();
        for (ParentCheckpoint parent : parents) {
            parent.image().files().forEach(file -> files.put(file.name(), file.bytes()));
        }
        return new RestoreReport(
                isLocal(parents) ? RestoreReport.Source.LOCAL_COPY : RestoreReport.Source.CHECKPOINT,
                parents.stream()
                        .map(parent -> name(parent.manifest()))
                        .distinct()
                        .toList(),
                files.size(),
                files.values().stream().mapToLong(Long::longValue).sum(),
                target.downloads().bytesLeft(),
                times);
    }

    /**
     * The parents that have key groups of ours; Flink hands out whole checkpoints, and some may only touch the range.
     */
    private List<ParentCheckpoint> wanted(List<KeyedStateHandle> handles) throws IOException {
        List<ParentCheckpoint> read = new ArrayList<>();
        for (KeyedStateHandle handle : handles) {
            read.add(ParentCheckpoint.read(handle, cancellation));
        }
        List<Manifest> manifests = read.stream().map(ParentCheckpoint::manifest).toList();
        // Gaps are fine: a subtask without any state leaves no checkpoint.
        RescalePlan cut = RescalePlan.of(
                target.keyGroups().getStartKeyGroup(), target.keyGroups().getEndKeyGroup(), manifests);
        return cut.parts().stream()
                .map(part -> read.get(part.parent()).cut(part.keyGroupFrom(), part.keyGroupTo()))
                .toList();
    }

    private void checkKeySerializer(KeyedBackendSerializationProxy<K> proxy) throws StateMigrationException {
        TypeSerializer<K> current = target.keySerializer().currentSchemaSerializer();
        TypeSerializerSchemaCompatibility<K> compatibility =
                target.keySerializer().setPreviousSerializerSnapshotForRestoredState(proxy.getKeySerializerSnapshot());
        if (compatibility.isCompatibleAfterMigration() || compatibility.isIncompatible()) {
            throw new StateMigrationException("The new key serializer (" + current
                    + ") must be compatible with the previous key serializer ("
                    + target.keySerializer().previousSchemaSerializer() + ").");
        }
    }

    /**
     * The uploads that the next checkpoint may refer to: those that the job manager knows as shared. A file in a
     * savepoint's own directory (a relative path) lives and dies with the savepoint; a segment of a merged file is
     * known to the task manager that restores all of it only. What is in packs is packed anew: so no pack outlives for
     * the sake of a few of its files the processes that know what else is in it.
     */
    private Map<String, StreamStateHandle> reusable(List<ParentCheckpoint> parents) {
        boolean rescaled = parents.size() != 1
                || parents.get(0).manifest().keyGroupFrom()
                        != target.keyGroups().getStartKeyGroup()
                || parents.get(0).manifest().keyGroupTo() != target.keyGroups().getEndKeyGroup();
        Map<String, StreamStateHandle> reusable = new HashMap<>();
        for (ParentCheckpoint parent : parents) {
            Set<String> names = new HashSet<>();
            parent.image().files().stream().map(FileInfo::name).forEach(names::add);
            names.removeAll(parent.packed());
            for (HandleAndLocalPath file : parent.shared()) {
                StreamStateHandle handle = file.getHandle();
                boolean owned = !(handle instanceof RelativeFileStateHandle);
                boolean segment = FileMergingSnapshotManager.isFileMergingHandle(handle);
                if (names.contains(file.getLocalPath()) && owned && !(rescaled && segment)) {
                    // A local handle has placeholders, which cannot be read, where a remote one of the same file can
                    // be.
                    reusable.merge(
                            file.getLocalPath(),
                            handle,
                            (before, now) -> now instanceof PlaceholderStreamStateHandle ? before : now);
                }
            }
        }
        return reusable;
    }
}
