package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.CheckpointRetentionPolicy;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.CheckpointsCleaner;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStore;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StandaloneCompletedCheckpointStore;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointMetadataOutputStream;
import org.apache.flink.runtime.state.filesystem.FsCompletedCheckpointStorageLocation;
import org.apache.flink.util.concurrent.Executors;

/**
 * A job's checkpoint coordinator, around Flink's own store of completed checkpoints and registry of shared files: in the
 * order of calls it follows {@code CheckpointCoordinator} of Flink 2.3.
 */
final class SimulatedJobManager {
    static final OperatorID OPERATOR = new OperatorID(1, 2);

    /** A checkpoint that is not complete. */
    static final class Pending {
        final long id;
        final boolean full;
        final boolean savepoint;

        /** Where it writes what is its own. */
        final Path own;

        final StateModel model = new StateModel();
        private final Map<Integer, OperatorSubtaskState> acknowledged = new TreeMap<>();

        Pending(long id, boolean full, boolean savepoint, Path own) {
            this.id = id;
            this.full = full;
            this.savepoint = savepoint;
            this.own = own;
        }
    }

    /** A savepoint that is complete. */
    record Savepoint(CompletedCheckpoint completed, StateModel model, Path directory) {}

    final JobID job;
    final int retained;

    /** Where its checkpoints are. */
    final Path directory;

    /** What they may share. */
    final Path shared;

    final NavigableMap<Long, Pending> pending = new TreeMap<>();
    final SimulatedStorage.Process process = new SimulatedStorage.Process();

    private final World world;
    private final SimulatedStorage storage;
    private final Tally tally;
    private final RecoveryClaimMode mode;
    private final CompletedCheckpointStore store;
    private final CheckpointsCleaner cleaner = new CheckpointsCleaner();
    private final Map<Long, StateModel> models;
    private final Map<String, Integer> listedBy = new HashMap<>();
    private final Set<String> known = new TreeSet<>();
    private final BiConsumer<Long, Boolean> notify;
    private int parallelism;
    private long nextId;
    private boolean forceFull;
    private boolean diesNext;
    private boolean dead;

    private SimulatedJobManager(
            JobID job,
            int retained,
            World world,
            RecoveryClaimMode mode,
            List<CompletedCheckpoint> recovered,
            Map<Long, StateModel> models,
            BiConsumer<Long, Boolean> notify)
            throws Exception {
        this.job = job;
        this.retained = retained;
        directory = new Path(SimulatedStorage.ROOT.toString(), job.toString());
        shared = new Path(directory, "shared");
        this.storage = world.storage;
        this.world = world;
        this.tally = world.tally;
        this.mode = mode;
        this.models = models;
        this.notify = notify;
        store = new StandaloneCompletedCheckpointStore(
                retained,
                (executor, none, claim) -> SharedStateRegistry.DEFAULT_FACTORY.create(executor, recovered, claim),
                Executors.directExecutor(),
                mode);
        for (CompletedCheckpoint checkpoint : recovered) {
            store.addCheckpointAndSubsumeOldestOne(checkpoint, cleaner, () -> {});
        }
    }

    /** A new job. */
    static SimulatedJobManager begin(
            JobID job, int retained, boolean claims, World world, BiConsumer<Long, Boolean> notify) throws Exception {
        RecoveryClaimMode mode = claims ? RecoveryClaimMode.CLAIM : RecoveryClaimMode.NO_CLAIM;
        SimulatedJobManager begun =
                new SimulatedJobManager(job, retained, world, mode, List.of(), new HashMap<>(), notify);
        begun.nextId = 1;
        return begun;
    }

    /** A new job on a checkpoint of another one. */
    static SimulatedJobManager restore(
            JobID job, CompletedCheckpoint from, RecoveryClaimMode mode, SimulatedJobManager other) throws Exception {
        SimulatedJobManager begun = new SimulatedJobManager(
                job, other.retained, other.world, mode, List.of(), new HashMap<>(), other.notify);
        CompletedCheckpoint checkpoint = copy(
                from,
                job,
                mode == RecoveryClaimMode.CLAIM ? properties() : CheckpointProperties.forUnclaimedSnapshot(),
                from.getProperties());
        begun.models.put(from.getCheckpointID(), other.models.get(from.getCheckpointID()));
        checkpoint.registerSharedStatesAfterRestored(begun.store.getSharedStateRegistry(), mode);
        begun.store.addCheckpointAndSubsumeOldestOne(checkpoint, begun.cleaner, () -> {});
        begun.nextId = from.getCheckpointID() + 1;
        return begun;
    }

    /** Another process that takes over the job, and knows of it what is complete. */
    SimulatedJobManager failOver() throws Exception {
        process.kill();
        List<CompletedCheckpoint> recovered = new ArrayList<>();
        for (CompletedCheckpoint checkpoint : store.getAllCheckpoints()) {
            recovered.add(copy(checkpoint, job, checkpoint.getProperties(), null));
        }
        SimulatedJobManager next = new SimulatedJobManager(job, retained, world, mode, recovered, models, notify);
        next.nextId = nextId;
        return next;
    }

    private static CheckpointProperties properties() {
        return CheckpointProperties.forCheckpoint(CheckpointRetentionPolicy.RETAIN_ON_CANCELLATION);
    }

    private static CompletedCheckpoint copy(
            CompletedCheckpoint checkpoint, JobID job, CheckpointProperties properties, CheckpointProperties restored)
            throws Exception {
        OperatorState before = checkpoint.getOperatorStates().get(OPERATOR);
        OperatorState state =
                new OperatorState(null, null, OPERATOR, before.getParallelism(), SimulatedMachine.KEY_GROUPS);
        before.getSubtaskStates()
                .forEach((subtask, each) -> state.putState(
                        subtask, sent(each.getManagedKeyedState().iterator().next())));
        return new CompletedCheckpoint(
                job,
                checkpoint.getCheckpointID(),
                0,
                0,
                new HashMap<>(Map.of(OPERATOR, state)),
                null,
                properties,
                location((FileStateHandle) checkpoint.getMetadataHandle()),
                null,
                restored);
    }

    private static FsCompletedCheckpointStorageLocation location(FileStateHandle metadata) throws IOException {
        Path place = metadata.getFilePath().getParent();
        return new FsCompletedCheckpointStorageLocation(place.getFileSystem(), place, metadata, place.toString());
    }

    /** The job runs with another parallelism from now on. */
    void run(int newParallelism) {
        parallelism = newParallelism;
        CompletedCheckpoint latest = latest();
        forceFull = latest != null && latest.getProperties().isUnclaimed();
    }

    CompletedCheckpoint latest() {
        List<CompletedCheckpoint> all = store.getAllCheckpoints();
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    List<CompletedCheckpoint> completed() {
        return store.getAllCheckpoints();
    }

    StateModel model(long checkpointId) {
        return models.get(checkpointId);
    }

    Pending trigger() {
        long id = nextId++;
        return begin(new Pending(id, forceFull, false, new Path(directory, "chk-" + id)));
    }

    Pending triggerSavepoint() {
        long id = nextId++;
        Path own = new Path(SimulatedStorage.ROOT.toString(), "savepoints/" + job + "-" + id);
        return begin(new Pending(id, false, true, own));
    }

    private Pending begin(Pending begun) {
        pending.put(begun.id, begun);
        return begun;
    }

    /** A part of a checkpoint arrives, maybe late; false if it refers to files that are gone, as only a late one may. */
    boolean acknowledge(long id, int subtask, OperatorSubtaskState state) throws Exception {
        SimulatedStorage.Process before = storage.enter(process);
        try {
            Pending checkpoint = pending.get(id);
            try {
                if (checkpoint == null || !checkpoint.savepoint) {
                    state.registerSharedStates(store.getSharedStateRegistry(), id);
                }
            } catch (IllegalStateException e) {
                if (checkpoint != null) {
                    throw e;
                }
                tally.count(Event.ACK_TOO_LATE);
                return false;
            }
            known.addAll(paths(state));
            if (checkpoint == null) {
                tally.count(Event.ACK_LATE);
                StateUtil.discardStateObjectQuietly(state);
                return true;
            }
            checkpoint.acknowledged.put(subtask, state);
            if (checkpoint.acknowledged.size() == parallelism) {
                complete(checkpoint);
            }
            return true;
        } finally {
            storage.enter(before);
        }
    }

    private void complete(Pending checkpoint) throws Exception {
        store.getSharedStateRegistry().checkpointCompleted(checkpoint.id);
        OperatorState states = new OperatorState(null, null, OPERATOR, parallelism, SimulatedMachine.KEY_GROUPS);
        checkpoint.acknowledged.forEach(states::putState);
        FsCompletedCheckpointStorageLocation location;
        try {
            location = writeMetadata(checkpoint, states);
        } catch (IOException e) {
            tally.count(Event.METADATA_FAILED);
            abort(checkpoint.id);
            return;
        }
        CompletedCheckpoint completed = new CompletedCheckpoint(
                job, checkpoint.id, 0, 0, new HashMap<>(Map.of(OPERATOR, states)), null, properties(), location, null);
        for (String path : paths(completed)) {
            if (!storage.has(path)) {
                throw new AssertionError(
                        "expected all files of checkpoint " + checkpoint.id + ", found none at " + path);
            }
        }
        if (checkpoint.savepoint) {
            pending.remove(checkpoint.id);
            tally.count(Event.SAVEPOINT);
            world.savepoints.add(new Savepoint(completed, checkpoint.model, checkpoint.own));
            return;
        }
        world.kept.completed(metadataPath(completed), paths(completed));
        if (diesNext) {
            dead = true;
            known.add(metadataPath(completed));
            tally.count(Event.JOB_MANAGER_FAILED_AFTER_METADATA);
            return;
        }
        models.put(checkpoint.id, checkpoint.model);
        countPacks(states);
        store.addCheckpointAndSubsumeOldestOne(completed, cleaner, () -> {});
        forceFull = false;
        pending.remove(checkpoint.id);
        tally.count(Event.COMPLETED);
        tally.count(Event.FULL_CHECKPOINT, checkpoint.full ? 1 : 0);
        for (Pending older : List.copyOf(pending.headMap(checkpoint.id, false).values())) {
            if (!older.savepoint) {
                abort(older.id);
            }
        }
        notify.accept(checkpoint.id, true);
    }

    /** Counts objects of several tasks, and what became of those of the checkpoint before. */
    private void countPacks(OperatorState states) {
        Map<String, Integer> tasks = new TreeMap<>();
        states.getStates().forEach(state -> paths(state).forEach(path -> tasks.merge(path, 1, Integer::sum)));
        tally.count(
                Event.PACK_SHARED,
                tasks.values().stream().filter(count -> count > 1).count());
        tally.count(
                Event.PACK_LEFT_BY_ONE,
                tasks.entrySet().stream()
                        .filter(each -> listedBy.getOrDefault(each.getKey(), 0) > each.getValue())
                        .count());
        listedBy.clear();
        listedBy.putAll(tasks);
    }

    private FsCompletedCheckpointStorageLocation writeMetadata(Pending checkpoint, OperatorState states)
            throws IOException {
        Path own = checkpoint.own;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Checkpoints.storeCheckpointMetadata(
                new CheckpointMetadata(checkpoint.id, List.of(states), List.of(), properties()), bytes);
        Path metadata = new Path(own, AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME);
        try (FsCheckpointMetadataOutputStream out = new FsCheckpointMetadataOutputStream(storage, metadata, own)) {
            // At once: each write may fail.
            out.write(bytes.toByteArray());
            return out.closeAndFinalizeCheckpoint();
        }
    }

    /** Dies at the next completion, when the checkpoint has its meta data, and before anybody knows. */
    void dieNext() {
        diesNext = true;
    }

    /** It lives on, if it has not died yet. */
    void liveOn() {
        diesNext = false;
    }

    boolean isDead() {
        return dead;
    }

    /** Whether a checkpoint is complete in part. */
    boolean hasAcknowledgements() {
        return pending.values().stream().anyMatch(checkpoint -> !checkpoint.acknowledged.isEmpty());
    }

    /** Gives up a checkpoint, if it is not complete: it took too long, or a task could not do its part. */
    void abort(long id) {
        Pending checkpoint = dead ? null : pending.remove(id);
        if (checkpoint != null) {
            SimulatedStorage.Process before = storage.enter(process);
            try {
                checkpoint.acknowledged.values().forEach(StateUtil::discardStateObjectQuietly);
                storage.deleteAll(checkpoint.own);
            } finally {
                storage.enter(before);
            }
            tally.count(Event.ABORTED);
            notify.accept(id, false);
        }
    }

    /** Gives up all but savepoints. */
    void abortCheckpoints() {
        List.copyOf(pending.values()).stream().filter(each -> !each.savepoint).forEach(each -> abort(each.id));
    }

    void abortAll() {
        List.copyOf(pending.keySet()).forEach(this::abort);
    }

    /** The job is cancelled; its checkpoints stay. */
    void cancelJob() throws Exception {
        abortAll();
        SimulatedStorage.Process before = storage.enter(process);
        try {
            store.shutdown(JobStatus.CANCELED, cleaner);
        } finally {
            storage.enter(before);
        }
    }

    /** Whether it owns what it is restored from; else it deletes nothing that was there before, also its own. */
    boolean claims() {
        return mode == RecoveryClaimMode.CLAIM;
    }

    /** Files that this process has heard of. */
    Set<String> known() {
        return known;
    }

    /** Files that completed checkpoints consist of. */
    Set<String> listed() {
        Set<String> listed = new TreeSet<>();
        store.getAllCheckpoints().forEach(checkpoint -> listed.addAll(allPaths(checkpoint)));
        return listed;
    }

    private static String metadataPath(CompletedCheckpoint checkpoint) {
        return ((FileStateHandle) checkpoint.getMetadataHandle())
                .getFilePath()
                .toUri()
                .getPath();
    }

    /** The files of a checkpoint, its meta data among them. */
    static Set<String> allPaths(CompletedCheckpoint checkpoint) {
        Set<String> paths = paths(checkpoint);
        paths.add(metadataPath(checkpoint));
        return paths;
    }

    /** The meta data of its completed checkpoints. */
    List<String> metadataPaths() {
        return store.getAllCheckpoints().stream()
                .map(SimulatedJobManager::metadataPath)
                .toList();
    }

    static Set<String> paths(CompletedCheckpoint checkpoint) {
        Set<String> paths = new TreeSet<>();
        for (OperatorState operator : checkpoint.getOperatorStates().values()) {
            operator.getStates().forEach(state -> paths.addAll(paths(state)));
        }
        return paths;
    }

    /** Those of a checkpoint that hold the same local file as another one: each subtask uploaded it. */
    static Set<String> pathsOfCopies(CompletedCheckpoint checkpoint) {
        Map<String, Set<String>> byName = new HashMap<>();
        for (OperatorSubtaskState state :
                checkpoint.getOperatorStates().get(OPERATOR).getStates()) {
            for (KeyedStateHandle handle : state.getManagedKeyedState()) {
                IncrementalRemoteKeyedStateHandle files = (IncrementalRemoteKeyedStateHandle) handle;
                Stream.concat(files.getSharedState().stream(), files.getPrivateState().stream())
                        .forEach(file -> add(
                                file.getHandle(),
                                byName.computeIfAbsent(file.getLocalPath(), absent -> new TreeSet<>())));
            }
        }
        Set<String> copies = new TreeSet<>();
        byName.values().stream().filter(paths -> paths.size() > 1).forEach(copies::addAll);
        return copies;
    }

    /** The files of a subtask's state that are not in the handles themselves. */
    static Set<String> paths(OperatorSubtaskState state) {
        Set<String> paths = new TreeSet<>();
        for (KeyedStateHandle handle : state.getManagedKeyedState()) {
            IncrementalRemoteKeyedStateHandle files = (IncrementalRemoteKeyedStateHandle) handle;
            files.getSharedState().forEach(file -> add(file.getHandle(), paths));
            files.getPrivateState().forEach(file -> add(file.getHandle(), paths));
            add(files.getMetaDataStateHandle(), paths);
        }
        return paths;
    }

    private static void add(StreamStateHandle handle, Set<String> paths) {
        handle.maybeGetPath().ifPresent(path -> paths.add(path.toUri().getPath()));
    }

    /** A state as it comes out of a message: the handles that a registry changes are its own. */
    static OperatorSubtaskState sent(KeyedStateHandle handle) {
        return OperatorSubtaskState.builder().setManagedKeyedState(copy(handle)).build();
    }

    /** A handle of its own with the same files. */
    static KeyedStateHandle copy(KeyedStateHandle handle) {
        IncrementalRemoteKeyedStateHandle files = (IncrementalRemoteKeyedStateHandle) handle;
        return IncrementalRemoteKeyedStateHandle.restore(
                files.getBackendIdentifier(),
                files.getKeyGroupRange(),
                files.getCheckpointId(),
                copy(files.getSharedState()),
                copy(files.getPrivateState()),
                files.getMetaDataStateHandle(),
                files.getCheckpointedSize(),
                files.getStateHandleId());
    }

    private static List<HandleAndLocalPath> copy(List<HandleAndLocalPath> files) {
        List<HandleAndLocalPath> copies = new ArrayList<>();
        files.forEach(file -> copies.add(HandleAndLocalPath.of(file.getHandle(), file.getLocalPath())));
        return copies;
    }
}
