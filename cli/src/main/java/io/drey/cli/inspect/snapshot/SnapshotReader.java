package io.drey.cli.inspect.snapshot;

import io.drey.cli.inspect.file.Handles;
import io.drey.cli.inspect.snapshot.SnapshotOperator.SubtaskPart;
import io.drey.flink.state.retention.ListedFiles;
import io.drey.foundation.CorruptFileException;
import java.io.DataInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.changelog.ChangelogStateBackendHandle;

/** Reads {@code _metadata} with Flink's own code, and what the handles in it refer to. */
public final class SnapshotReader {
    public static final String METADATA = "_metadata";

    /** A manifest lists files and types; one of a very large subtask has some megabytes. */
    private static final int MANIFEST_BYTES_MAX = 64 << 20;

    private static final byte[] MAGIC = {'D', 'R', 'E', 'Y'};

    private final Path directory;
    private final ClassLoader classes;
    private final Set<StreamStateHandle> seen = new HashSet<>();

    private SnapshotReader(Path directory, ClassLoader classes) {
        this.directory = directory;
        this.classes = classes;
    }

    /** Reads the snapshot in a directory that has {@link #METADATA}. */
    public static Snapshot read(Path directory, ClassLoader classes) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        CheckpointMetadata metadata = metadata(absolute.resolve(METADATA), classes);
        SnapshotReader reader = new SnapshotReader(absolute, classes);
        List<SnapshotOperator> operators = new ArrayList<>();
        for (OperatorState operator : metadata.getOperatorStates()) {
            operators.add(reader.operator(operator));
        }
        operators.sort(Comparator.comparingLong(SnapshotOperator::bytes).reversed());
        return new Snapshot(absolute, kind(metadata, operators), metadata.getCheckpointId(), operators);
    }

    /** Whether a running job has deleted a snapshot since it was found. */
    public static boolean isDeleted(Path directory) {
        return !Files.exists(directory.resolve(METADATA));
    }

    /** What to say of a failure to read a snapshot: that it is gone, if it is, else what was wrong. */
    public static IOException failure(Path directory, Exception failure) {
        return isDeleted(directory)
                ? new IOException(
                        directory + " was deleted while it was read: its job has completed newer checkpoints. Look"
                                + " into a savepoint, or let the cluster's jobs keep more"
                                + " (execution.checkpointing.num-retained).",
                        failure)
                : new IOException(failure.getMessage() == null ? failure.toString() : failure.getMessage(), failure);
    }

    private static CheckpointMetadata metadata(Path file, ClassLoader classes) throws IOException {
        CountingStream counted = null;
        try (InputStream in = Files.newInputStream(file)) {
            counted = new CountingStream(in);
            // Flink wants its own form of a path, in which nothing is escaped.
            String pointer =
                    org.apache.flink.core.fs.Path.fromLocalFile(file.toFile()).toString();
            return Checkpoints.loadCheckpointMetadata(new DataInputStream(counted), classes, pointer);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (OutOfMemoryError e) {
            // Or a length is damaged, and asks for more memory than there is; nothing of it was taken.
            throw new IOException(
                    "file " + file + " of " + Files.size(file) + " bytes needs more memory than the "
                            + (Runtime.getRuntime().maxMemory() >> 20) + " MB of the heap, or is damaged before byte "
                            + (counted == null ? 0 : counted.count) + ": try with DREY_JAVA_OPTS=-Xmx4g",
                    e);
        } catch (IOException | RuntimeException e) {
            long offset = counted == null ? 0 : counted.count;
            throw new IOException(
                    "file " + file + " is damaged before byte " + offset + ": expected Flink's meta data of a snapshot,"
                            + " found what it does not read (" + e + "); use another checkpoint",
                    e);
        }
    }

    private static String kind(CheckpointMetadata metadata, List<SnapshotOperator> operators) {
        CheckpointProperties properties = metadata.getCheckpointProperties();
        if (properties == null || !properties.isSavepoint()) {
            boolean canonical = !operators.isEmpty()
                    && operators.stream()
                            .flatMap(operator -> operator.keyed().stream())
                            .allMatch(each -> each.part() instanceof CanonicalPart)
                    && operators.stream().anyMatch(operator -> !operator.keyed().isEmpty());
            return canonical ? "canonical savepoint" : properties == null ? "checkpoint or savepoint" : "checkpoint";
        }
        boolean canonical = operators.stream()
                .flatMap(operator -> operator.keyed().stream())
                .anyMatch(each -> each.part() instanceof CanonicalPart);
        return canonical ? "canonical savepoint" : "native savepoint";
    }

    private SnapshotOperator operator(OperatorState operator) throws IOException {
        String id = operator.getOperatorID().toString();
        String uid = operator.getOperatorUid().filter(text -> !text.isEmpty()).orElse(null);
        String name = operator.getOperatorName().filter(text -> !text.isEmpty()).orElse(uid == null ? id : uid);
        List<SubtaskPart> parts = new ArrayList<>();
        List<StreamStateHandle> plainFiles = new ArrayList<>();
        long operatorBytes = 0;
        long inFlight = 0;
        for (Map.Entry<Integer, OperatorSubtaskState> entry :
                operator.getSubtaskStates().entrySet()) {
            OperatorSubtaskState subtask = entry.getValue();
            for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
                String owner = "operator " + name + ", subtask " + entry.getKey();
                parts.add(new SubtaskPart(entry.getKey(), part(owner, handle, operator.getMaxParallelism())));
            }
            List.of(
                            subtask.getManagedOperatorState(),
                            subtask.getRawOperatorState(),
                            subtask.getRawKeyedState(),
                            subtask.getInputChannelState(),
                            subtask.getResultSubpartitionState())
                    .forEach(handles -> addFiles(handles, plainFiles));
            operatorBytes += bytes(subtask.getManagedOperatorState())
                    + bytes(subtask.getRawOperatorState())
                    + bytes(subtask.getRawKeyedState());
            inFlight += bytes(subtask.getInputChannelState()) + bytes(subtask.getResultSubpartitionState());
        }
        parts.sort(Comparator.comparingInt(each -> each.part().keyGroupFrom()));
        return new SnapshotOperator(
                id,
                name,
                uid,
                operator.getParallelism(),
                operator.getMaxParallelism(),
                parts,
                operatorBytes,
                plainFiles,
                inFlight);
    }

    /** Those that were not seen yet: many handles share a file, also of several operators. */
    private void addFiles(Iterable<? extends StateObject> handles, List<StreamStateHandle> files) {
        for (StateObject handle : handles) {
            ListedFiles.forEach(handle, file -> {
                if (seen.add(file)) {
                    files.add(Handles.near(directory, file));
                }
            });
        }
    }

    private static long bytes(Iterable<? extends StateObject> handles) {
        long bytes = 0;
        for (StateObject handle : handles) {
            bytes += handle.getStateSize();
        }
        return bytes;
    }

    private KeyedPart part(String owner, KeyedStateHandle handle, int maxParallelism) throws IOException {
        if (handle instanceof IncrementalRemoteKeyedStateHandle incremental) {
            return incremental(owner, incremental);
        }
        if (handle instanceof KeyGroupsSavepointStateHandle canonical) {
            KeyGroupsStateHandle near = new KeyGroupsStateHandle(
                    canonical.getGroupRangeOffsets(), Handles.near(directory, canonical.getDelegateStateHandle()));
            return new CanonicalPart(near, maxParallelism, classes);
        }
        if (handle instanceof KeyGroupsStateHandle heap) {
            StreamStateHandle near = Handles.near(directory, heap.getDelegateStateHandle());
            return new OtherPart("HashMap", heap.getKeyGroupRange(), near, Map.of(OtherPart.name(near), near), classes);
        }
        if (handle instanceof ChangelogStateBackendHandle changelog) {
            return new OtherPart(
                    KeyedPart.CHANGELOG, handle.getKeyGroupRange(), null, changelogFiles(changelog), classes);
        }
        return new OtherPart(handle.getClass().getSimpleName(), handle.getKeyGroupRange(), null, Map.of(), classes);
    }

    /** What was materialized, and the changes since, whose files tasks share. */
    private Map<String, StreamStateHandle> changelogFiles(ChangelogStateBackendHandle changelog) {
        List<StreamStateHandle> unseen = new ArrayList<>();
        addFiles(List.of(changelog), unseen);
        Map<String, StreamStateHandle> files = new LinkedHashMap<>();
        for (StreamStateHandle file : unseen) {
            String name = OtherPart.name(file);
            files.put(files.containsKey(name) ? name + " (" + files.size() + ")" : name, file);
        }
        return files;
    }

    private KeyedPart incremental(String owner, IncrementalRemoteKeyedStateHandle handle) throws IOException {
        Map<String, StreamStateHandle> files = new HashMap<>();
        handle.getSharedState()
                .forEach(file -> files.put(file.getLocalPath(), Handles.near(directory, file.getHandle())));
        handle.getPrivateState()
                .forEach(file -> files.put(file.getLocalPath(), Handles.near(directory, file.getHandle())));
        StreamStateHandle meta = Handles.near(directory, handle.getMetaDataStateHandle());
        byte[] first;
        try (InputStream in = meta.openInputStream()) {
            first = in.readNBytes(MAGIC.length);
        }
        if (java.util.Arrays.equals(first, MAGIC)) {
            String source = "manifest of " + owner + " in " + Handles.describe(meta);
            byte[] manifest = Handles.readAll(meta, MANIFEST_BYTES_MAX);
            return DreyPart.of(owner, source, manifest, files, classes);
        }
        if (!looksLikeFlinks(first)) {
            throw new CorruptFileException(
                    Handles.describe(meta),
                    0,
                    "a manifest of Drey or Flink's serializer snapshots",
                    "the bytes " + HexFormat.of().formatHex(first));
        }
        files.put(OtherPart.name(meta), meta);
        // Flink's meta data does not say which of the two it is.
        return new OtherPart("RocksDB or ForSt", handle.getKeyGroupRange(), meta, files, classes);
    }

    /** Flink's own meta streams begin with a small big-endian version. */
    private static boolean looksLikeFlinks(byte[] first) {
        return first.length == MAGIC.length && first[0] == 0 && first[1] == 0 && first[2] == 0;
    }

    /** Counts what was read, so that damage has a place. */
    private static final class CountingStream extends FilterInputStream {
        private long count;

        CountingStream(InputStream in) {
            super(new java.io.BufferedInputStream(in));
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count += read < 0 ? 0 : 1;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            count += Math.max(0, read);
            return read;
        }
    }
}
