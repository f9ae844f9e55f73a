package io.drey.flink.state.simulation;

import io.drey.checkpoint.retention.JobDirectory;
import io.drey.checkpoint.retention.Retention;
import io.drey.flink.state.retention.FlinkJobFiles;
import io.drey.flink.state.simulation.Tally.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.PrioritizedOperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.streaming.api.operators.BackendRestorerProcedure;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;

/** Ends and beginnings of a job: it runs again on a checkpoint, its own or another job's, with any parallelism. */
final class Recoveries {
    private static final int METADATA_BYTES_MAX = 1 << 20;

    /** About what a restore does. */
    private static final int DISK_IOS = 40;

    private static final int DISK_BYTES = 6_000;

    private final World world;
    private final Tally tally;
    private final SimulatedJob job;
    private final SideRestores sideRestores;
    private final Map<Integer, TreeMap<Long, KeyedStateHandle>> localCopies = new TreeMap<>();

    /** Files of earlier jobs' checkpoints that are nobody's to delete. */
    private final Set<String> foreign = new TreeSet<>();

    /** Of all jobs, in their order. */
    private final List<Path> directories = new ArrayList<>();

    Recoveries(World world, SimulatedJob job, SideRestores sideRestores) {
        this.world = world;
        this.tally = world.tally;
        this.job = job;
        this.sideRestores = sideRestores;
    }

    private JobID newId() {
        return new JobID(world.random.nextLong(), world.random.nextLong());
    }

    /** Deletes what is garbage in a directory of a job, as a user does by the command line. */
    void audit() throws IOException {
        Path directory = world.any(directories);
        SimulatedStorage.Role role = world.storage.enter(SimulatedStorage.Role.JANITOR);
        world.spareStorage();
        try {
            FlinkJobFiles files = new FlinkJobFiles();
            JobDirectory found = JobDirectory.read(
                    files, directory.toString(), METADATA_BYTES_MAX, world.clock::nanos, new CountDownLatch(0));
            Retention retention = new Retention(found, Long.MAX_VALUE, Long.MAX_VALUE);
            for (JobDirectory.StoredFile file : found.files()) {
                if (!file.directory() && retention.need(file) == Retention.Need.GARBAGE) {
                    files.delete(directory + "/" + file.path());
                    tally.count(Event.AUDIT_DELETED);
                }
            }
        } finally {
            world.resumeStorageFaults();
            world.storage.enter(role);
        }
    }

    Set<String> foreign() {
        return foreign;
    }

    /** The first job, from nothing. */
    void begin() throws Exception {
        job.manager = SimulatedJobManager.begin(newId(), world.retained, world.random.nextBoolean(), world, job::tell);
        world.storage.inUse(
                path -> foreign.contains(path) || job.manager.listed().contains(path));
        directories.add(job.manager.directory);
        start(1 + world.random.nextInt(World.PARALLELISM_MAX), null);
    }

    /** The job starts again from its last checkpoint. */
    void restart(boolean killed) throws Exception {
        job.end(killed ? world.any(job.victims()) : null);
        job.manager.abortAll();
        restore();
    }

    /** Another job manager takes over. */
    void failOver() throws Exception {
        SimulatedJobManager before = job.manager;
        tally.count(Event.JOB_MANAGER_FAILED);
        tally.count(Event.JOB_MANAGER_FAILED_MIDWAY, before.hasAcknowledgements() ? 1 : 0);
        job.end(null);
        job.manager = before.failOver();
        world.orphans.jobManagerLost(before, before.claims() ? job.manager.listed() : Set.of());
        restore();
    }

    /** The job is cancelled, or lost with its job manager, and another one starts on one of its checkpoints. */
    void newJob() throws Exception {
        List<CompletedCheckpoint> completed = job.manager.completed();
        if (completed.isEmpty()) {
            return;
        }
        CompletedCheckpoint from = world.any(completed);
        Map<Long, Set<String>> files = new TreeMap<>();
        completed.forEach(
                checkpoint -> files.put(checkpoint.getCheckpointID(), SimulatedJobManager.allPaths(checkpoint)));
        job.end(null);
        localCopies.values().forEach(TreeMap::clear);
        SimulatedJobManager before = job.manager;
        RecoveryClaimMode mode = world.random.nextBoolean() ? RecoveryClaimMode.CLAIM : RecoveryClaimMode.NO_CLAIM;
        tally.count(mode == RecoveryClaimMode.CLAIM ? Event.CLAIM : Event.NO_CLAIM);
        tally.count(Event.RESTORED_OLDER, from == completed.get(completed.size() - 1) ? 0 : 1);
        if (world.random.nextBoolean()) {
            before.cancelJob();
        } else {
            before.process.kill();
        }
        job.manager = SimulatedJobManager.restore(newId(), from, mode, before);
        directories.add(job.manager.directory);
        world.orphans.jobManagerLost(before, job.manager.claims() ? job.manager.listed() : Set.of());
        if (mode == RecoveryClaimMode.CLAIM) {
            foreign.removeAll(files.get(from.getCheckpointID()));
        }
        files.forEach((id, paths) -> {
            if (mode == RecoveryClaimMode.NO_CLAIM || id != from.getCheckpointID()) {
                world.orphans.left(paths);
            }
            if (mode == RecoveryClaimMode.NO_CLAIM) {
                foreign.addAll(paths);
            }
        });
        restore();
    }

    /** Runs the job again on its last checkpoint, with any parallelism, and compares it with the model. */
    private void restore() throws Exception {
        CompletedCheckpoint latest = job.manager.latest();
        int before = latest == null
                ? 0
                : latest.getOperatorStates().get(SimulatedJobManager.OPERATOR).getParallelism();
        // Where there are local copies it changes more often: so tasks are given some of other key groups.
        boolean keeps = before > 0 && !world.hasLocalRecovery && world.random.nextInt(3) > 0;
        int parallelism = keeps ? before : 1 + world.random.nextInt(World.PARALLELISM_MAX);
        if (latest != null) {
            tally.count(Event.RESTORED);
            tally.count(Event.RESCALED_UP, before < parallelism ? 1 : 0);
            tally.count(Event.RESCALED_DOWN, before > parallelism ? 1 : 0);
            sideRestores.damage(latest);
        }
        if (before != parallelism) {
            // Where each subtask ran, another one may now, or none.
            localCopies.values().stream()
                    .filter(copies -> world.random.nextInt(4) == 0)
                    .forEach(TreeMap::clear);
        }
        start(parallelism, latest);
        for (SimulatedTask task : List.copyOf(job.tasks)) {
            boolean restoring = task.machine.isRestoring();
            tally.count(Event.LAZY_RESTORED, restoring ? 1 : 0);
            tally.count(Event.LAZY_RESCALED, restoring && before != parallelism ? 1 : 0);
            // What is read comes: so little of what is to come is read.
            boolean all = !restoring || world.random.nextInt(4) == 0;
            if (!job.check(task, all)) {
                restart(false);
                return;
            }
        }
    }

    private void start(int parallelism, CompletedCheckpoint from) throws Exception {
        job.manager.run(parallelism);
        SimulatedStorage.Process process = null;
        for (int i = 0; i < parallelism; i++) {
            KeyGroupRange range = SideRestores.range(parallelism, i);
            StateModel model = from == null
                    ? new StateModel()
                    : job.manager
                            .model(from.getCheckpointID())
                            .copy(key -> range.contains(SimulatedTask.keyGroup(key)));
            if (process == null || !world.together) {
                process = new SimulatedStorage.Process();
                world.packs = World.packs();
            }
            job.tasks.add(startTask(i, process, range, from, model));
        }
    }

    private SimulatedTask startTask(
            int index,
            SimulatedStorage.Process process,
            KeyGroupRange range,
            CompletedCheckpoint from,
            StateModel model)
            throws Exception {
        SimulatedMachine machine = new SimulatedMachine(
                world.random.split(),
                world,
                world.hasLocalRecovery ? new LocalCopies(world.base.resolve("copies-" + index)) : null);
        TreeMap<Long, KeyedStateHandle> copies = localCopies.computeIfAbsent(index, absent -> new TreeMap<>());
        KeyedStateHandle copy = from == null ? null : copies.get(from.getCheckpointID());
        boolean damaged = copy != null && damageCopy(copy);
        if (damaged) {
            copies.remove(from.getCheckpointID());
        }
        if (from != null && world.hasDiskFaults && world.random.nextInt(4) == 0) {
            spoilDisk(machine);
        }
        Sources sources = new Sources(range, copy, damaged, SideRestores.handles(from, range));
        AbstractKeyedStateBackend<String> backend = open(machine, sources);
        Foreseen foreseen = new Foreseen();
        try {
            return new SimulatedTask(
                    index, machine, process, world, backend, model, copies, SideRestores.localNames(from, range));
        } catch (Exception e) {
            // As Flink does with the backend of a task that fails while it opens: of a lazy one states are read then.
            try {
                backend.dispose();
            } catch (RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            machine.checkEmpty();
            foreseen.check(e);
            return startTask(index, process, range, from, model);
        }
    }

    /** A restore writes what it fetches: its disk fails once, or from then on, or is full. */
    private void spoilDisk(SimulatedMachine machine) {
        int io = world.random.nextInt(DISK_IOS);
        int bytes = world.random.nextInt(DISK_BYTES);
        switch (world.random.nextInt(3)) {
            case 0 -> machine.spoilNext(disk -> disk.failAt(io));
            case 1 -> machine.spoilNext(disk -> disk.failFrom(io));
            default -> machine.spoilNext(disk -> disk.spaceLeft(bytes));
        }
        tally.count(Event.DISK_SPOILED_BEFORE_RESTORE);
    }

    /** Failures of a restore that were brought about on purpose: it is tried again, and the storage lets it read then. */
    private final class Foreseen {
        private final long readsFailedBefore = world.storage.counts().readsFailed();

        void check(Exception failure) throws Exception {
            if (!explain(failure)) {
                throw failure;
            }
            tally.count(isOfDisk(failure) ? Event.DISK_FAILED_RESTORE : Event.RESTORE_FAILED);
            world.spareStorage();
        }

        boolean explain(Exception failure) {
            return isOfDisk(failure) || world.storage.counts().readsFailed() > readsFailedBefore;
        }

        private static boolean isOfDisk(Exception failure) {
            String text = ExceptionUtils.stringifyException(failure);
            return text.contains("injected fault: ") || text.contains("found all of them full");
        }
    }

    /** A machine's crash may damage what a task kept there. */
    private boolean damageCopy(KeyedStateHandle copy) throws IOException {
        Event damage = world.random.nextInt(3) == 0 ? LocalCopies.damage(copy, world.random) : null;
        if (damage != null) {
            tally.count(damage);
        }
        return damage != null;
    }

    /**
     * What a subtask with these key groups is given.
     *
     * @param copy of the checkpoint, on its machine: of other key groups if the parallelism was another; null for none
     */
    private record Sources(KeyGroupRange range, KeyedStateHandle copy, boolean damaged, List<KeyedStateHandle> remote) {
        /** The copy, if it can be, and what is missing from remote; all from remote. */
        List<StateObjectCollection<KeyedStateHandle>> alternatives() {
            return new PrioritizedOperatorSubtaskState.Builder(
                            state(remote), copy == null ? List.of() : List.of(state(List.of(copy))))
                    .build()
                    .getPrioritizedManagedKeyedState();
        }

        private static OperatorSubtaskState state(List<KeyedStateHandle> handles) {
            return OperatorSubtaskState.builder()
                    .setManagedKeyedState(new StateObjectCollection<>(handles))
                    .build();
        }

        /** Whether nothing of the copy is left out: then all damage to it is found. */
        boolean isWhole() {
            return copy.getKeyGroupRange().equals(range);
        }
    }

    /** Opens a backend as a task does; tries again if storage or disk do not let it. */
    private AbstractKeyedStateBackend<String> open(SimulatedMachine machine, Sources sources) throws Exception {
        for (int tries = 0; ; tries++) {
            Foreseen foreseen = new Foreseen();
            try {
                AbstractKeyedStateBackend<String> backend = new BackendRestorerProcedure<
                                AbstractKeyedStateBackend<String>, KeyedStateHandle>(
                                handles -> open(machine, sources, handles, foreseen),
                                new CloseableRegistry(),
                                "the keyed state")
                        .createAndRestore(sources.alternatives(), StateObject.StateObjectSizeStatsCollector.create());
                world.resumeStorageFaults();
                return backend;
            } catch (Exception e) {
                if (tries > 0) {
                    throw e;
                }
                foreseen.check(e);
            }
        }
    }

    /** Opens a backend on one of the alternatives: one with a local copy fails only of what was done on purpose. */
    private AbstractKeyedStateBackend<String> open(
            SimulatedMachine machine, Sources sources, Collection<KeyedStateHandle> handles, Foreseen foreseen)
            throws Exception {
        boolean local = sources.copy() != null && handles.contains(sources.copy());
        AbstractKeyedStateBackend<String> backend;
        try {
            backend = machine.open(job.manager.job, sources.range(), handles);
        } catch (Exception e) {
            boolean explained = foreseen.explain(e);
            if (local && !sources.damaged() && !explained) {
                throw new AssertionError("expected a local copy to be of use, found that it is refused", e);
            }
            tally.count(Event.LOCAL_COPY_REFUSED, local && !explained ? 1 : 0);
            throw e;
        }
        if (local && sources.damaged() && sources.isWhole()) {
            throw new AssertionError("expected a damaged local copy to be refused");
        }
        tally.count(Event.RESTORED_LOCALLY, local ? 1 : 0);
        tally.count(Event.RESTORED_LOCALLY_IN_PART, local && handles.size() > 1 ? 1 : 0);
        return backend;
    }

    /** Nothing is left of the local copies. */
    void deleteLocalCopies() throws IOException {
        for (int subtask = 0; world.hasLocalRecovery && subtask < World.PARALLELISM_MAX; subtask++) {
            FileUtils.deleteDirectory(world.base.resolve("copies-" + subtask).toFile());
        }
    }
}
