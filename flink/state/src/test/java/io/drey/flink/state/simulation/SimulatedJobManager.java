package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
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
import org.apache.flink.runtime.checkpoint.CheckpointsCleaner;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStore;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StandaloneCompletedCheckpointStore;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.CompletedCheckpointStorageLocation;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
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
        final StateModel model = new StateModel();
        private final Map<Integer, OperatorSubtaskState> acknowledged = new TreeMap<>();

        Pending(long id, boolean full) {
            this.id = id;
            this.full = full;
        }
    }

    final JobID job;
    final int retained;

    /** Where checkpoints write what is their own, and what they may share. */
    final Path own;

    final Path shared;
    final NavigableMap<Long, Pending> pending = new TreeMap<>();
    final SimulatedStorage.Process process = new SimulatedStorage.Process();

    private final SimulatedStorage storage;
    private final Tally tally;
    private final RecoveryClaimMode mode;
    private final CompletedCheckpointStore store;
    private final CheckpointsCleaner cleaner = new CheckpointsCleaner();
    private final Map<Long, StateModel> models;
    private final Set<String> known = new TreeSet<>();
    private final BiConsumer<Long, Boolean> notify;
    private int parallelism;
    private long nextId;
    private boolean forceFull;

    private SimulatedJobManager(
            JobID job,
            int retained,
            SimulatedStorage storage,
            Tally tally,
            RecoveryClaimMode mode,
            List<CompletedCheckpoint> recovered,
            Map<Long, StateModel> models,
            BiConsumer<Long, Boolean> notify)
            throws Exception {
        this.job = job;
        this.retained = retained;
        Path directory = new Path(SimulatedStorage.ROOT.resolve(job + "/"));
        own = new Path(directory, "own");
        shared = new Path(directory, "shared");
        this.storage = storage;
        this.tally = tally;
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
            JobID job,
            int retained,
            boolean claims,
            SimulatedStorage storage,
            Tally tally,
            BiConsumer<Long, Boolean> notify)
            throws Exception {
        RecoveryClaimMode mode = claims ? RecoveryClaimMode.CLAIM : RecoveryClaimMode.NO_CLAIM;
        SimulatedJobManager begun =
                new SimulatedJobManager(job, retained, storage, tally, mode, List.of(), new HashMap<>(), notify);
        begun.nextId = 1;
        return begun;
    }

    /** A new job on a checkpoint of another one. */
    static SimulatedJobManager restore(
            JobID job, CompletedCheckpoint from, RecoveryClaimMode mode, SimulatedJobManager other) throws Exception {
        SimulatedJobManager begun = new SimulatedJobManager(
                job, other.retained, other.storage, other.tally, mode, List.of(), new HashMap<>(), other.notify);
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
        SimulatedJobManager next =
                new SimulatedJobManager(job, retained, storage, tally, mode, recovered, models, notify);
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
                new Location(checkpoint.getCheckpointID()),
                null,
                restored);
    }

    /** Where the metadata of a checkpoint is: in memory, because nothing is to be found out about it. */
    private static final class Location implements CompletedCheckpointStorageLocation {
        private static final long serialVersionUID = 1L;

        private final long id;

        Location(long id) {
            this.id = id;
        }

        @Override
        public String getExternalPointer() {
            return "checkpoint " + id;
        }

        @Override
        public StreamStateHandle getMetadataHandle() {
            return new ByteStreamStateHandle("metadata " + id, new byte[0]);
        }

        @Override
        public void disposeStorageLocation() {}
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
        Pending begun = new Pending(nextId++, forceFull);
        pending.put(begun.id, begun);
        return begun;
    }

    /** A part of a checkpoint arrives, maybe late; false if it refers to files that are gone, as only a late one may. */
    boolean acknowledge(long id, int subtask, OperatorSubtaskState state) throws Exception {
        SimulatedStorage.Process before = storage.enter(process);
        try {
            Pending checkpoint = pending.get(id);
            try {
                state.registerSharedStates(store.getSharedStateRegistry(), id);
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
        CompletedCheckpoint completed = new CompletedCheckpoint(
                job,
                checkpoint.id,
                0,
                0,
                Map.of(OPERATOR, states),
                null,
                properties(),
                new Location(checkpoint.id),
                null);
        for (String path : paths(completed)) {
            if (!storage.has(path)) {
                throw new AssertionError(
                        "expected all files of checkpoint " + checkpoint.id + ", found none at " + path);
            }
        }
        models.put(checkpoint.id, checkpoint.model);
        store.addCheckpointAndSubsumeOldestOne(completed, cleaner, () -> {});
        forceFull = false;
        pending.remove(checkpoint.id);
        tally.count(Event.COMPLETED);
        tally.count(Event.FULL_CHECKPOINT, checkpoint.full ? 1 : 0);
        for (Pending older : List.copyOf(pending.headMap(checkpoint.id, false).values())) {
            abort(older.id);
        }
        notify.accept(checkpoint.id, true);
    }

    /** Whether a checkpoint is complete in part. */
    boolean hasAcknowledgements() {
        return pending.values().stream().anyMatch(checkpoint -> !checkpoint.acknowledged.isEmpty());
    }

    /** Gives up a checkpoint, if it is not complete: it took too long, or a task could not do its part. */
    void abort(long id) {
        Pending checkpoint = pending.remove(id);
        if (checkpoint != null) {
            SimulatedStorage.Process before = storage.enter(process);
            try {
                checkpoint.acknowledged.values().forEach(StateUtil::discardStateObjectQuietly);
            } finally {
                storage.enter(before);
            }
            tally.count(Event.ABORTED);
            notify.accept(id, false);
        }
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
        store.getAllCheckpoints().forEach(checkpoint -> listed.addAll(paths(checkpoint)));
        return listed;
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
