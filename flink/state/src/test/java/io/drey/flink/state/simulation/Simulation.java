package io.drey.flink.state.simulation;

import io.drey.flink.state.restore.RestoreReport;
import io.drey.flink.state.simulation.SimulatedTask.Notice;
import io.drey.flink.state.simulation.SimulatedTask.Part;
import io.drey.flink.state.simulation.Tally.Event;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.checkpoint.StateObjectCollection;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.streaming.api.operators.BackendRestorerProcedure;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;
import org.apache.flink.util.InstantiationUtil;

/**
 * One seed's history of a job: its tasks, its job manager, the storage and the disks, in one thread and by one clock.
 * What the job lost by design is known: {@link Orphans}. Everything else is checked.
 */
final class Simulation {
    private static final int STEPS = 110;
    private static final int KEYS_MAX = 24;
    private static final int PARALLELISM_MAX = 3;
    private static final int STORAGE_BUFFER_BYTES = 256;

    /** Enough for compactions that follow from others; reads may ask for more without end. */
    private static final int IDLE_ROUNDS = 3;

    private final SplittableRandom random;
    private final Path base;
    private final Tally tally;
    private final SimulatedMachine.Clock clock = new SimulatedMachine.Clock();
    private final SimulatedStorage storage;
    private final Orphans orphans;
    private final List<String> keys;
    private final int overlappingMax;
    private final int inlineBytes;
    private final boolean hasLocalRecovery;
    private final int wantedStorageFaults;
    private final boolean hasDiskFaults;
    private final List<Message> messages = new ArrayList<>();
    private final List<SimulatedTask> tasks = new ArrayList<>();
    private final List<SimulatedTask> ended = new ArrayList<>();
    private final Map<Integer, TreeMap<Long, KeyedStateHandle>> localCopies = new TreeMap<>();

    /** Checkpoints of earlier jobs that are nobody's to delete. */
    private final Set<String> foreign = new TreeSet<>();

    /** I/Os of the storage that fail now, of a thousand. */
    private int storageFaults;

    private SimulatedJobManager jobManager;

    /** An acknowledgement on its way. */
    private record Message(SimulatedJobManager to, long id, int subtask, OperatorSubtaskState state) {}

    /** @param base a directory for local files, used if the seed says so */
    Simulation(long seed, Path base, Tally tally) throws Exception {
        this.random = new SplittableRandom(seed);
        this.base = base;
        this.tally = tally;
        storage = SimulatedStorage.begin(seed);
        orphans = new Orphans(storage);
        keys = IntStream.range(0, 1 + random.nextInt(KEYS_MAX))
                .mapToObj(number -> "key".substring(0, number % 4) + number)
                .toList();
        overlappingMax = 1 + random.nextInt(4);
        inlineBytes = random.nextInt(3) == 0 ? STORAGE_BUFFER_BYTES / 2 : 0;
        hasLocalRecovery = random.nextInt(6) == 0;
        wantedStorageFaults = random.nextInt(3) == 0 ? 1 + random.nextInt(40) : 0;
        hasDiskFaults = random.nextInt(3) == 0;
        jobManager = SimulatedJobManager.begin(
                job(),
                1 + random.nextInt(3),
                random.nextBoolean(),
                storage,
                tally,
                (id, complete) -> tasks.forEach(task -> task.notices.add(new Notice(id, complete))));
        storage.inUse(path -> foreign.contains(path) || jobManager.listed().contains(path));
    }

    private JobID job() {
        return new JobID(random.nextLong(), random.nextLong());
    }

    void run() throws Exception {
        long allocatedBefore = Memory.allocatedBytes();
        start(1 + random.nextInt(PARALLELISM_MAX), null);
        storageFaults = wantedStorageFaults;
        storage.faults(storageFaults);
        for (int i = 0; i < STEPS; i++) {
            step();
            clock.moveMs(random.nextInt(20));
            checkStorage();
        }
        quiet();
        end();
        if (Memory.allocatedBytes() != allocatedBefore) {
            throw new AssertionError("expected all memory back, found " + (Memory.allocatedBytes() - allocatedBefore)
                    + " bytes still taken");
        }
    }

    private void checkStorage() {
        if (!storage.deletedInUse().isEmpty()) {
            throw new AssertionError(
                    "expected what checkpoints list to stay, found deleted: " + storage.deletedInUse());
        }
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void step() throws Exception {
        int choice = random.nextInt(1000);
        if (choice < 300) {
            operate();
        } else if (choice < 330) {
            hurry();
        } else if (choice < 450) {
            background();
        } else if (choice < 530) {
            trigger();
        } else if (choice < 630) {
            barrier(any(tasks));
        } else if (choice < 760) {
            advance();
        } else if (choice < 830) {
            report();
        } else if (choice < 900) {
            deliver();
        } else if (choice < 950) {
            hear();
        } else if (choice < 960) {
            abort();
        } else if (choice < 966) {
            loseMessage();
        } else if (choice < 980) {
            diskFault();
        } else if (choice < 991) {
            failure();
        } else {
            newJob();
        }
    }

    private void operate() throws Exception {
        for (int i = random.nextInt(12); i >= 0; i--) {
            String key = any(keys);
            for (SimulatedTask task : tasks) {
                if (task.has(key)) {
                    if (!attempt(task, () -> task.operate(random, key))) {
                        return;
                    }
                    break;
                }
            }
        }
    }

    /** Something that a task does in its own thread. */
    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }

    /** Does it; a failure that is due to what was done to the task ends the job's attempt. */
    private boolean attempt(SimulatedTask task, Deed deed) throws Exception {
        try {
            deed.run();
            return true;
        } catch (Exception e) {
            if (!task.isExpected(e)) {
                throw e;
            }
            noteFound(task, e);
            tally.count(Event.TASK_FAILED);
            restart(false);
            return false;
        }
    }

    private void noteFound(SimulatedTask task, Throwable failure) {
        String text = ExceptionUtils.stringifyException(failure);
        tally.count(Event.DISK_BIT_FOUND, task.flipped.stream().anyMatch(text::contains) ? 1 : 0);
    }

    private void background() {
        SimulatedTask task = any(tasks);
        for (int i = random.nextInt(20); i >= 0; i--) {
            task.machine.background().step();
        }
    }

    private void trigger() {
        if (jobManager.pending.size() < overlappingMax) {
            SimulatedJobManager.Pending begun = jobManager.trigger();
            tasks.forEach(task -> task.barriers.add(begun.id));
        }
    }

    /** Brings the checkpoints under way to their ends, as far as nothing is in their way. */
    private void hurry() throws Exception {
        trigger();
        for (SimulatedTask task : List.copyOf(tasks)) {
            while (!task.barriers.isEmpty()) {
                if (!barrier(task)) {
                    return;
                }
            }
            for (Part part : task.running()) {
                task.advance(part, Integer.MAX_VALUE);
                report(task, part);
            }
        }
        while (!messages.isEmpty()) {
            deliver();
        }
        for (SimulatedTask task : tasks) {
            while (!task.notices.isEmpty() && random.nextInt(8) != 0) {
                task.hear(task.notices.poll());
            }
        }
    }

    /** Has a task meet its next barrier; false if the job fails of it. */
    private boolean barrier(SimulatedTask task) throws Exception {
        Long id = task.barriers.poll();
        SimulatedJobManager.Pending checkpoint = id == null ? null : jobManager.pending.get(id);
        if (checkpoint == null) {
            return true;
        }
        return attempt(task, () -> {
            task.barrier(id, checkpoint.full, streams(), options(checkpoint.full));
            checkpoint.model.add(task.model.copy(task::has));
        });
    }

    private static CheckpointOptions options(boolean full) {
        return new CheckpointOptions(
                full ? CheckpointType.FULL_CHECKPOINT : CheckpointType.CHECKPOINT,
                CheckpointStorageLocationReference.getDefault());
    }

    private PausingStreams streams() {
        org.apache.flink.core.fs.Path directory =
                new org.apache.flink.core.fs.Path(SimulatedStorage.ROOT.resolve(jobManager.job + "/"));
        return new PausingStreams(
                storage,
                new org.apache.flink.core.fs.Path(directory, "own"),
                new org.apache.flink.core.fs.Path(directory, "shared"),
                inlineBytes,
                STORAGE_BUFFER_BYTES);
    }

    private void advance() {
        SimulatedTask task = any(tasks);
        List<Part> running = task.running();
        if (!running.isEmpty()) {
            task.advance(any(running), 1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 20));
        }
        List<SimulatedTask> all = new ArrayList<>(ended);
        all.addAll(tasks);
        for (SimulatedTask other : all) {
            for (Part leftover : other.leftovers()) {
                if (random.nextInt(4) == 0) {
                    other.advance(leftover, 1 + random.nextInt(20));
                }
            }
        }
    }

    private void report() throws Exception {
        for (SimulatedTask task : tasks) {
            for (Part part : task.running()) {
                if (part.isDone()) {
                    report(task, part);
                    return;
                }
            }
        }
    }

    private void report(SimulatedTask task, Part part) throws Exception {
        SnapshotResult<KeyedStateHandle> result;
        try {
            result = task.report(part);
        } catch (Exception e) {
            if (!task.isExpected(e)) {
                throw e;
            }
            noteFound(task, e);
            tally.count(Event.DECLINED);
            jobManager.abort(part.id);
            return;
        }
        OperatorSubtaskState state = SimulatedJobManager.sent(result.getJobManagerOwnedSnapshot());
        tally.count(Event.REUSED, Orphans.referred(state));
        messages.add(new Message(jobManager, part.id, task.index, state));
        if (result.getTaskLocalSnapshot() != null) {
            task.localCopies.put(part.id, result.getTaskLocalSnapshot());
        }
    }

    private void deliver() throws Exception {
        if (!messages.isEmpty()) {
            Message message = messages.remove(random.nextInt(messages.size()));
            if (message.to() == jobManager) {
                if (!jobManager.acknowledge(message.id(), message.subtask(), message.state())) {
                    orphans.lostAcknowledgement(message.state());
                }
            } else {
                lost(message);
            }
        }
    }

    private void loseMessage() {
        if (!messages.isEmpty()) {
            lost(messages.remove(random.nextInt(messages.size())));
        }
    }

    private void lost(Message message) {
        tally.count(Event.ACK_LOST);
        orphans.lostAcknowledgement(message.state());
    }

    private void hear() throws Exception {
        SimulatedTask task = any(tasks);
        Notice notice = task.notices.poll();
        if (notice != null) {
            if (random.nextInt(10) == 0) {
                tally.count(Event.NOTICE_LOST);
            } else {
                task.hear(notice);
            }
        }
    }

    private void abort() {
        if (!jobManager.pending.isEmpty()) {
            jobManager.abort(any(List.copyOf(jobManager.pending.keySet())));
        }
    }

    private void diskFault() throws Exception {
        SimulatedTask task = any(tasks);
        if (!hasDiskFaults) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                task.machine.faulty().failAt(random.nextInt(30));
                tally.count(Event.DISK_FAILED);
            }
            case 1 -> {
                task.machine.faulty().spaceLeft(random.nextInt(3000));
                tally.count(Event.DISK_FULL);
            }
            case 2 -> {
                task.machine.faulty().failDeletes(true);
                tally.count(Event.DISK_DELETE_FAILED);
            }
            default -> flip(task);
        }
    }

    private void flip(SimulatedTask task) throws IOException {
        List<String> names = task.machine.localFiles();
        if (!names.isEmpty()) {
            String name = any(names);
            task.machine.disk().flip(name, random.nextLong(8 * task.machine.length(name)));
            task.flipped.add(name);
            tally.count(Event.DISK_BIT_FLIPPED);
        }
    }

    private void failure() throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> {
                tally.count(Event.TASK_FAILED);
                restart(false);
            }
            case 1, 2 -> {
                tally.count(Event.KILLED);
                restart(true);
            }
            default -> {
                tally.count(Event.JOB_MANAGER_FAILED);
                SimulatedJobManager before = jobManager;
                endTasks(null);
                jobManager = before.failOver();
                orphans.jobManagerLost(before, before.claims() ? jobManager.listed() : Set.of());
                restore();
            }
        }
    }

    /** The job starts again from its last checkpoint. */
    private void restart(boolean killed) throws Exception {
        endTasks(killed ? any(tasks) : null);
        jobManager.abortAll();
        restore();
    }

    /** Files that the job manager knows, or will from messages on their way. */
    private Set<String> told() {
        Set<String> told = new TreeSet<>(jobManager.known());
        messages.forEach(message -> told.addAll(SimulatedJobManager.paths(message.state())));
        return told;
    }

    /** Ends all tasks, one of them maybe by killing its process. */
    private void endTasks(SimulatedTask killed) throws Exception {
        for (SimulatedTask task : tasks) {
            if (task == killed) {
                task.kill();
                orphans.killed(task.process, told());
            } else {
                task.machine.disk().heal();
                task.end();
            }
            ended.add(task);
        }
        tasks.clear();
    }

    /** Runs the job again on its last checkpoint, with any parallelism. */
    private void restore() throws Exception {
        CompletedCheckpoint latest = jobManager.latest();
        int before = latest == null
                ? 0
                : latest.getOperatorStates().get(SimulatedJobManager.OPERATOR).getParallelism();
        int parallelism = before > 0 && random.nextInt(3) > 0 ? before : 1 + random.nextInt(PARALLELISM_MAX);
        if (latest != null) {
            tally.count(Event.RESTORED);
            tally.count(Event.RESCALED, before == parallelism ? 0 : 1);
            damageRemote(latest);
        }
        if (before != parallelism) {
            localCopies.values().forEach(TreeMap::clear);
        }
        start(parallelism, latest);
        for (SimulatedTask task : tasks) {
            task.checkAll(keys);
        }
    }

    /** A flipped bit in any file of a checkpoint is found by the restore, which names the file. */
    private void damageRemote(CompletedCheckpoint checkpoint) throws Exception {
        List<String> paths = storage.byAge(SimulatedJobManager.paths(checkpoint));
        if (paths.isEmpty() || random.nextInt(4) != 0) {
            return;
        }
        storage.faults(0);
        tally.count(Event.STORAGE_BIT_FLIPPED);
        String path = any(paths);
        long bit = random.nextLong();
        storage.flip(path, bit);
        try {
            sideRestore(checkpoint, null);
            throw new AssertionError("expected the flipped bit of " + path + " to be found");
        } catch (Exception e) {
            String text = ExceptionUtils.stringifyException(e);
            if (!text.contains(path.substring(path.lastIndexOf('/') + 1))) {
                throw e;
            }
        }
        storage.flip(path, bit);
        storage.faults(storageFaults);
    }

    private SimulatedMachine machine(int subtask) {
        return new SimulatedMachine(
                random.split(),
                base,
                hasLocalRecovery ? new LocalCopies(base.resolve("copies-" + subtask)) : null,
                clock,
                tally);
    }

    private void start(int parallelism, CompletedCheckpoint from) throws Exception {
        jobManager.run(parallelism);
        for (int i = 0; i < parallelism; i++) {
            KeyGroupRange range = range(parallelism, i);
            StateModel model = from == null
                    ? new StateModel()
                    : jobManager.model(from.getCheckpointID()).copy(key -> range.contains(SimulatedTask.keyGroup(key)));
            tasks.add(startTask(i, range, from, model));
        }
    }

    private static KeyGroupRange range(int parallelism, int index) {
        return StateAssignmentOperation.createKeyGroupPartitions(SimulatedMachine.KEY_GROUPS, parallelism)
                .get(index);
    }

    /** Starts a subtask; tries again if the storage does not let it read. */
    private SimulatedTask startTask(int index, KeyGroupRange range, CompletedCheckpoint from, StateModel model)
            throws Exception {
        SimulatedMachine machine = machine(index);
        List<StateObjectCollection<KeyedStateHandle>> alternatives = new ArrayList<>();
        TreeMap<Long, KeyedStateHandle> copies = localCopies.computeIfAbsent(index, absent -> new TreeMap<>());
        KeyedStateHandle copy = from == null ? null : copies.get(from.getCheckpointID());
        boolean damaged = false;
        if (copy != null) {
            damaged = random.nextInt(3) == 0 && LocalCopies.damage(copy, random);
            if (damaged) {
                tally.count(Event.LOCAL_COPY_DAMAGED);
                copies.remove(from.getCheckpointID());
            }
            alternatives.add(StateObjectCollection.singleton(copy));
        }
        alternatives.add(new StateObjectCollection<>(handles(from, range)));
        for (int tries = 0; ; tries++) {
            storage.faults(tries == 0 ? storageFaults : 0);
            long readsFailed = storage.counts().readsFailed();
            try {
                AbstractKeyedStateBackend<String> backend = new BackendRestorerProcedure<
                                AbstractKeyedStateBackend<String>, KeyedStateHandle>(
                                handles -> machine.open(jobManager.job, range, handles),
                                new CloseableRegistry(),
                                "the keyed state")
                        .createAndRestore(alternatives, StateObject.StateObjectSizeStatsCollector.create());
                storage.faults(storageFaults);
                boolean local = machine.report().source() == RestoreReport.Source.LOCAL_COPY;
                if (local && damaged) {
                    throw new AssertionError("expected a damaged local copy to be refused");
                }
                tally.count(Event.RESTORED_LOCALLY, local ? 1 : 0);
                tally.count(Event.LOCAL_COPY_REFUSED, damaged ? 1 : 0);
                return new SimulatedTask(index, machine, storage, backend, model, copies, tally);
            } catch (Exception e) {
                if (tries > 0 || storage.counts().readsFailed() == readsFailed) {
                    throw e;
                }
            }
        }
    }

    private static List<KeyedStateHandle> handles(CompletedCheckpoint from, KeyGroupRange range) throws Exception {
        if (from == null) {
            return List.of();
        }
        OperatorState state = InstantiationUtil.clone(from.getOperatorStates().get(SimulatedJobManager.OPERATOR));
        return StateAssignmentOperation.getManagedKeyedStateHandles(state, range);
    }

    /** Restores a checkpoint beside the job, with any parallelism, and compares it with the model at its barrier. */
    private void sideRestore(CompletedCheckpoint checkpoint, StateModel expected) throws Exception {
        SplittableRandom own = random.split();
        int parallelism = 1 + own.nextInt(PARALLELISM_MAX);
        for (int i = 0; i < parallelism; i++) {
            KeyGroupRange range = range(parallelism, i);
            SimulatedMachine machine = new SimulatedMachine(own.split(), base, null, clock, tally);
            AbstractKeyedStateBackend<String> backend;
            try {
                backend = machine.open(jobManager.job, range, handles(checkpoint, range));
            } catch (Exception e) {
                machine.checkEmpty();
                throw e;
            }
            StateModel model = expected == null ? new StateModel() : expected;
            SimulatedTask task = new SimulatedTask(i, machine, storage, backend, model, new TreeMap<>(), tally);
            if (expected != null) {
                task.checkAll(keys);
            }
            task.end();
            machine.checkEmpty();
        }
    }

    /** The job is cancelled, or lost with its job manager, and another one starts on one of its checkpoints. */
    private void newJob() throws Exception {
        List<CompletedCheckpoint> completed = jobManager.completed();
        if (completed.isEmpty()) {
            return;
        }
        CompletedCheckpoint from = any(completed);
        Map<Long, Set<String>> files = new TreeMap<>();
        completed.forEach(checkpoint -> files.put(checkpoint.getCheckpointID(), SimulatedJobManager.paths(checkpoint)));
        endTasks(null);
        localCopies.values().forEach(TreeMap::clear);
        SimulatedJobManager before = jobManager;
        RecoveryClaimMode mode = random.nextBoolean() ? RecoveryClaimMode.CLAIM : RecoveryClaimMode.NO_CLAIM;
        tally.count(mode == RecoveryClaimMode.CLAIM ? Event.CLAIM : Event.NO_CLAIM);
        tally.count(Event.RESTORED_OLDER, from == completed.get(completed.size() - 1) ? 0 : 1);
        if (random.nextBoolean()) {
            before.cancelJob();
        } else {
            before.process.kill();
        }
        jobManager = SimulatedJobManager.restore(job(), from, mode, before);
        orphans.jobManagerLost(before, jobManager.claims() ? jobManager.listed() : Set.of());
        if (mode == RecoveryClaimMode.CLAIM) {
            foreign.removeAll(files.get(from.getCheckpointID()));
        }
        files.forEach((id, paths) -> {
            if (mode == RecoveryClaimMode.NO_CLAIM || id != from.getCheckpointID()) {
                orphans.left(paths);
            }
            if (mode == RecoveryClaimMode.NO_CLAIM) {
                foreign.addAll(paths);
            }
        });
        restore();
    }

    /** Everything under way ends well; then checkpoints complete until nothing of before is retained. */
    private void quiet() throws Exception {
        storageFaults = 0;
        storage.faults(0);
        if (tasks.stream().anyMatch(task -> task.machine.hasFaults() || !task.flipped.isEmpty())) {
            restart(false);
        }
        for (int i = 0; i <= jobManager.retained; i++) {
            settle();
            idle();
            long id = jobManager.trigger().id;
            tasks.forEach(task -> task.barriers.add(id));
            settle();
            if (jobManager.latest() == null || jobManager.latest().getCheckpointID() != id) {
                throw new AssertionError("expected checkpoint " + id + " to complete when nothing is in its way");
            }
        }
        checkLocalFiles();
        for (SimulatedTask task : tasks) {
            task.checkAll(keys);
        }
        for (CompletedCheckpoint checkpoint : jobManager.completed()) {
            sideRestore(checkpoint, jobManager.model(checkpoint.getCheckpointID()));
        }
        checkRemoteFiles();
    }

    /** Does all that is to be done, in order. */
    private void settle() throws Exception {
        for (SimulatedTask task : tasks) {
            while (!task.barriers.isEmpty()) {
                SimulatedJobManager.Pending checkpoint = jobManager.pending.get(task.barriers.peek());
                long id = task.barriers.poll();
                if (checkpoint != null) {
                    task.barrier(id, checkpoint.full, streams(), options(checkpoint.full));
                    checkpoint.model.add(task.model.copy(task::has));
                }
            }
            for (Part part : task.running()) {
                while (!part.isDone()) {
                    task.advance(part, Integer.MAX_VALUE);
                }
                report(task, part);
            }
        }
        while (!messages.isEmpty()) {
            deliver();
        }
        for (SimulatedTask task : tasks) {
            while (!task.notices.isEmpty()) {
                task.hear(task.notices.poll());
            }
            task.drain();
        }
        ended.forEach(SimulatedTask::drain);
        jobManager.abortAll();
        for (SimulatedTask task : tasks) {
            while (!task.notices.isEmpty()) {
                task.hear(task.notices.poll());
            }
        }
        checkStorage();
    }

    /** Lets background jobs make all of the stores that they want to. */
    private void idle() throws Exception {
        for (SimulatedTask task : tasks) {
            for (int i = 0; i < IDLE_ROUNDS; i++) {
                task.look(keys.get(0));
                while (task.machine.background().step()) {
                    // Until there is none.
                }
            }
        }
    }

    private void checkLocalFiles() throws Exception {
        CompletedCheckpoint latest = jobManager.latest();
        OperatorState state = latest.getOperatorStates().get(SimulatedJobManager.OPERATOR);
        for (SimulatedTask task : tasks) {
            Set<String> listed = new TreeSet<>();
            for (KeyedStateHandle handle : state.getState(task.index).getManagedKeyedState()) {
                listed.addAll(Orphans.localNames(handle));
            }
            Set<String> found = new TreeSet<>(task.machine.localFiles());
            if (!found.equals(listed)) {
                throw new AssertionError(
                        "expected local files to be those of the last checkpoint, " + listed + ", found " + found);
            }
        }
    }

    private void checkRemoteFiles() {
        Set<String> listed = jobManager.listed();
        Set<String> expected = new TreeSet<>(listed);
        expected.addAll(foreign);
        Set<String> found = storage.paths();
        if (!found.containsAll(expected)) {
            expected.removeAll(found);
            throw new AssertionError("expected all files of checkpoints in the storage, found none at " + expected);
        }
        found.removeAll(expected);
        orphans.explain(found, tally);
    }

    private void end() throws Exception {
        List<SimulatedMachine> used = new ArrayList<>();
        tasks.forEach(task -> used.add(task.machine));
        ended.forEach(task -> used.add(task.machine));
        endTasks(null);
        for (SimulatedTask task : ended) {
            task.drain();
        }
        for (SimulatedMachine machine : used) {
            machine.checkEmpty();
        }
        String[] left = base.toFile().list((directory, name) -> name.startsWith("drey_job_"));
        if (left != null && left.length > 0) {
            throw new AssertionError("expected no local directory after the last backend, found " + List.of(left));
        }
        for (int subtask = 0; hasLocalRecovery && subtask < PARALLELISM_MAX; subtask++) {
            FileUtils.deleteDirectory(base.resolve("copies-" + subtask).toFile());
        }
        SimulatedStorage.Counts counts = storage.counts();
        tally.count(Event.STORAGE_WRITE_FAILED, counts.writesFailed());
        tally.count(Event.STORAGE_READ_FAILED, counts.readsFailed());
        tally.count(Event.STORAGE_DELETE_FAILED, counts.deletesFailed());
    }
}
