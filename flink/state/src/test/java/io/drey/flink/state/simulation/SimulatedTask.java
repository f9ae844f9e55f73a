package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import io.drey.testkit.Coroutine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.util.ExceptionUtils;

/**
 * A subtask with a backend, as Flink's task treats it: the asynchronous parts of its checkpoints are coroutines, which
 * are cancelled and discarded as {@code AsyncCheckpointRunnable} does.
 */
final class SimulatedTask {
    /** What Flink's runnable around an asynchronous part knows of it. */
    enum Phase {
        RUNNING,
        COMPLETED,
        DISCARDED
    }

    /** The part of a checkpoint that this task does. */
    static final class Part {
        final long id;
        final boolean full;

        final boolean savepoint;

        /** Whether rounds of preparation came before it. */
        private final boolean prepared;

        private final RunnableFuture<SnapshotResult<KeyedStateHandle>> future;
        private final Coroutine work;
        private Phase phase = Phase.RUNNING;

        Part(
                long id,
                boolean full,
                boolean savepoint,
                boolean prepared,
                RunnableFuture<SnapshotResult<KeyedStateHandle>> future) {
            this.id = id;
            this.full = full;
            this.savepoint = savepoint;
            this.prepared = prepared;
            this.future = future;
            this.work = new Coroutine(future::run);
        }

        boolean isDone() {
            return work.isDone();
        }
    }

    /** What a job manager tells a task about a checkpoint. */
    record Notice(long id, boolean complete) {}

    /** An attempt to write hangs for so many times 50 ms or so, where there is nothing else to be done. */
    private static final int HANGS_ABOUT = 40;

    final int index;
    final SimulatedMachine machine;
    final SimulatedStorage.Process process;
    final ArrayDeque<Notice> notices = new ArrayDeque<>();
    final ArrayDeque<Long> barriers = new ArrayDeque<>();
    final TreeMap<Long, KeyedStateHandle> localCopies;
    final StateModel model;

    /** The local names of files that it was restored from, by their paths in the storage. */
    final Map<String, Set<String>> restoredFrom;

    /** Names of local files of which a bit was flipped. */
    final TreeSet<String> flipped = new TreeSet<>();

    private final AbstractKeyedStateBackend<String> backend;
    private final SimulatedStorage storage;
    private final SimulatedStates states;
    private final Tally tally;
    private final World world;
    private final TreeMap<Long, Part> parts = new TreeMap<>();
    private final List<Part> leftovers = new ArrayList<>();

    /** What other threads do for the task. */
    private final List<Errand> errands = new ArrayList<>();

    /** Since the last barrier. */
    private final List<Errand> rounds = new ArrayList<>();

    private long lastDone;
    private boolean ended;

    /** Waits of the janitor that ended by time, which are no rounds. */
    private long awaitedByLooks;

    SimulatedTask(
            int index,
            SimulatedMachine machine,
            SimulatedStorage.Process process,
            World world,
            AbstractKeyedStateBackend<String> backend,
            StateModel model,
            TreeMap<Long, KeyedStateHandle> localCopies,
            Map<String, Set<String>> restoredFrom)
            throws Exception {
        this.index = index;
        this.machine = machine;
        this.process = process;
        this.storage = world.storage;
        this.backend = backend;
        this.model = model;
        this.localCopies = localCopies;
        this.restoredFrom = restoredFrom;
        this.tally = world.tally;
        this.world = world;
        this.states = new SimulatedStates(backend, world.ttlMs, world.allExpires);
    }

    static int keyGroup(String key) {
        return KeyGroupRangeAssignment.assignToKeyGroup(key, SimulatedMachine.KEY_GROUPS);
    }

    boolean has(String key) {
        return backend.getKeyGroupRange().contains(keyGroup(key));
    }

    void operate(SplittableRandom random, String key) throws Exception {
        tally.count(Event.OPERATION);
        states.operate(random, model, key, machine.nowMs());
    }

    /** An operation that changes nothing, in which the store installs what background jobs made. */
    void look(String key) throws Exception {
        if (has(key)) {
            states.check(model, key, machine.nowMs());
        } else {
            backend.getKeys("value", "").close();
        }
    }

    void checkAll(Iterable<String> keys) throws Exception {
        states.checkAll(model, keys, machine.nowMs());
    }

    /** The synchronous part. */
    void barrier(long id, boolean full, CheckpointStreamFactory streams, CheckpointOptions options) throws Exception {
        tally.count(Event.BARRIER);
        tally.count(Event.LAZY_BARRIER, machine.isRestoring() ? 1 : 0);
        boolean savepoint = options.getCheckpointType().isSavepoint();
        if (!savepoint) {
            countRounds();
        }
        SimulatedStorage.Process before = storage.enter(process);
        try {
            boolean prepared = !rounds.isEmpty() && !savepoint;
            parts.put(id, new Part(id, full, savepoint, prepared, backend.snapshot(id, id, streams, options)));
            if (!savepoint) {
                rounds.clear();
            }
        } finally {
            storage.enter(before);
        }
        long running = parts.values().stream().filter(part -> !part.isDone()).count();
        tally.count(Event.THREE_UNDER_WAY, running >= 3 ? 1 : 0);
    }

    private void countRounds() {
        tally.count(Event.BARRIER_BEFORE_ROUND, machine.time().next() == Long.MAX_VALUE ? 0 : 1);
        boolean done = rounds.stream().allMatch(Errand::isDone);
        tally.count(Event.BARRIER_IN_ROUND, done ? 0 : 1);
        tally.count(Event.BARRIER_AFTER_ROUND, done && !rounds.isEmpty() ? 1 : 0);
    }

    /** Lets the task do what it had itself woken for. */
    void ring() {
        int before = machine.tasks().size();
        SimulatedStorage.Process other = storage.enter(process);
        try {
            machine.time().ring();
        } finally {
            storage.enter(other);
        }
        List<Runnable> begun = machine.tasks().takeBack(before);
        for (Runnable work : begun) {
            Errand.Kind kind = rounds.isEmpty() ? Errand.Kind.ROUND_ONE : Errand.Kind.ROUND_TWO;
            Errand round = new Errand(kind, SimulatedStorage.Role.ROUND, work);
            tally.count(round.kind == Errand.Kind.ROUND_ONE ? Event.ROUND_ONE : Event.ROUND_TWO);
            rounds.add(round);
            errands.add(round);
        }
        tally.count(Event.ROUND_TOO_LATE, begun.isEmpty() ? 1 : 0);
    }

    /** Whether other threads are in the midst of something. */
    boolean isBusy() {
        return errands.stream().anyMatch(errand -> errand.hasBegun() && !errand.isDone());
    }

    /** What other threads are still to do for the task. */
    List<Errand> errands() {
        errands.removeIf(Errand::isDone);
        errands.addAll(machine.attempts().take());
        return List.copyOf(errands);
    }

    /** Lets another thread go on for some steps. */
    void advance(Errand errand, int pauses) {
        boolean looks = errand.kind == Errand.Kind.LOOK;
        boolean begins = !errand.hasBegun();
        SimulatedStorage.Counts counts = storage.counts();
        long listings = storage.listings();
        long stored = storage.aheadStored();
        String doubt = looks ? world.doubts.known(errand, machine.job()) : null;
        Set<String> files = errand.kind == Errand.Kind.ATTEMPT ? storage.pathsOf(process) : Set.of();
        SimulatedStorage.Process before = storage.enter(process);
        SimulatedStorage.Role role = storage.enter(errand.role);
        try {
            long expired = machine.time().expired();
            errand.resume(pauses);
            awaitedByLooks += looks ? machine.time().expired() - expired : 0;
        } finally {
            storage.enter(role);
            storage.enter(before);
        }
        boolean failed = storage.counts().writesFailed() > counts.writesFailed();
        if (errand.kind == Errand.Kind.ATTEMPT) {
            Set<String> written = storage.pathsOf(process);
            written.removeAll(files);
            errand.wrote(written);
            tally.count(Event.ATTEMPT_LOST, errand.isLost(storage) && !failed && !process.isDead() ? 1 : 0);
        } else {
            tally.count(Event.ROUND_FAILED, failed ? 1 : 0);
        }
        tally.count(Event.ROUND_FILE_STORED, storage.aheadStored() - stored);
        tally.count(Event.JANITOR_LOOKED, begins && storage.listings() > listings ? 1 : 0);
        long cleaned = storage.counts().cleaned() - counts.cleaned();
        tally.count(Event.JANITOR_DELETED, cleaned);
        if (cleaned > 0 && doubt != null && storage.has(doubt)) {
            throw new AssertionError("expected nothing to be deleted because " + doubt + " cannot be read");
        }
    }

    /** Lets threads for I/O do so many things that do not pause. */
    void doTasks(int count) {
        SimulatedStorage.Process before = storage.enter(process);
        try {
            boolean restoring = machine.isRestoring();
            machine.tasks().run(count);
            tally.count(Event.LAZY_WHOLE, restoring && !machine.isRestoring() && machine.failure() == null ? 1 : 0);
        } finally {
            storage.enter(before);
        }
    }

    /** Brings an asynchronous part to its end, each time after what it may wait for, but for a write that hangs. */
    void finish(Part part) {
        do {
            for (Errand errand : errands()) {
                boolean hangs = errand.kind == Errand.Kind.ATTEMPT && world.random.nextInt(HANGS_ABOUT) != 0;
                if (!hangs) {
                    advance(errand, Integer.MAX_VALUE);
                } else if (!errand.hasBegun()) {
                    advance(errand, 1 + world.random.nextInt(8));
                }
            }
            advance(part, Integer.MAX_VALUE);
        } while (!part.isDone());
    }

    /** Parts whose asynchronous part is not reported. */
    List<Part> running() {
        return List.copyOf(parts.values());
    }

    /** Asynchronous parts that go on although nobody waits for them. */
    List<Part> leftovers() {
        leftovers.removeIf(Part::isDone);
        return List.copyOf(leftovers);
    }

    /** Lets an asynchronous part go on for some steps. */
    void advance(Part part, int pauses) {
        boolean wasDone = part.isDone();
        SimulatedStorage.Process before = storage.enter(process);
        try {
            part.work.resume(pauses);
        } finally {
            storage.enter(before);
        }
        if (!wasDone && part.isDone()) {
            tally.count(Event.OUT_OF_ORDER, part.id < lastDone ? 1 : 0);
            lastDone = Math.max(lastDone, part.id);
        }
    }

    /** The result of an asynchronous part that is done, once; throws what it failed with. */
    SnapshotResult<KeyedStateHandle> report(Part part) throws Exception {
        parts.remove(part.id);
        try {
            SnapshotResult<KeyedStateHandle> result = part.future.get();
            part.phase = Phase.COMPLETED;
            return result;
        } catch (Exception e) {
            discard(part);
            throw e;
        }
    }

    /** Hears how a checkpoint ended; one that failed is cancelled here too. */
    void hear(Notice notice) throws Exception {
        SimulatedStorage.Process before = storage.enter(process);
        try {
            if (notice.complete()) {
                tally.count(Event.LAZY_COMPLETED, machine.isRestoring() ? 1 : 0);
                int queued = machine.tasks().size();
                backend.notifyCheckpointComplete(notice.id());
                for (Runnable look : machine.tasks().takeBack(queued)) {
                    errands.add(new Errand(Errand.Kind.LOOK, SimulatedStorage.Role.JANITOR, look));
                }
                localCopies.headMap(notice.id()).values().forEach(StateUtil::discardStateObjectQuietly);
                localCopies.headMap(notice.id()).clear();
            } else {
                Part part = parts.remove(notice.id());
                if (part != null) {
                    tally.count(Event.ABORTED_AFTER_ROUND, part.prepared ? 1 : 0);
                    discard(part);
                }
                backend.notifyCheckpointAborted(notice.id());
                KeyedStateHandle copy = localCopies.remove(notice.id());
                if (copy != null) {
                    copy.discardState();
                }
            }
        } finally {
            storage.enter(before);
        }
    }

    private void discard(Part part) throws Exception {
        if (part.phase != Phase.RUNNING) {
            return;
        }
        part.phase = Phase.DISCARDED;
        boolean midway = part.work.thread() != null;
        if (midway) {
            tally.count(Event.CANCELLED_MIDWAY);
            leftovers.add(part);
        } else if (part.isDone()) {
            tally.count(Event.DISCARDED_WHEN_DONE);
        }
        StateUtil.discardStateFuture(part.future);
        // Flink interrupts the thread that cancels, if it is the one that runs: here it never is.
    }

    /** Ends as a cancelled task does; what runs in other threads goes on, and finds itself cancelled. */
    void end() throws Exception {
        ended = true;
        SimulatedStorage.Process before = storage.enter(process);
        try {
            for (Part part : List.copyOf(parts.values())) {
                discard(part);
            }
            parts.clear();
            backend.close();
            backend.dispose();
            tally.count(Event.ROUND_NOT_AWAITED, machine.time().expired() - awaitedByLooks);
        } finally {
            storage.enter(before);
        }
    }

    /** Counts at which steps of checkpoints a kill comes now. */
    void countKill(boolean hasMessage) {
        tally.count(Event.KILLED);
        tally.count(Event.LAZY_KILLED, machine.isRestoring() ? 1 : 0);
        tally.count(Event.KILLED_BEFORE_BARRIER, barriers.isEmpty() ? 0 : 1);
        for (Part part : parts.values()) {
            tally.count(
                    part.isDone()
                            ? Event.KILLED_AFTER_UPLOAD
                            : part.work.thread() == null ? Event.KILLED_BEFORE_UPLOAD : Event.KILLED_IN_UPLOAD);
        }
        for (Errand round : rounds) {
            if (round.isDone()) {
                tally.count(Event.KILLED_AFTER_ROUND);
            } else if (!round.hasBegun()) {
                tally.count(Event.KILLED_BEFORE_ROUND);
            } else {
                boolean one = round.kind == Errand.Kind.ROUND_ONE;
                tally.count(one ? Event.KILLED_IN_ROUND_ONE : Event.KILLED_IN_ROUND_TWO);
            }
        }
        boolean looking = errands().stream().anyMatch(each -> each.kind == Errand.Kind.LOOK && each.hasBegun());
        tally.count(Event.KILLED_IN_LOOK, looking ? 1 : 0);
        tally.count(Event.KILLED_BEFORE_ACK, hasMessage ? 1 : 0);
        tally.count(Event.KILLED_BEFORE_NOTICE, notices.isEmpty() ? 0 : 1);
        tally.count(Event.KILLED_IN_BACKGROUND, machine.background().isIdle() ? 0 : 1);
    }

    /** Ends as a process does that is killed: what it has begun comes to nothing. */
    void kill() throws Exception {
        process.kill();
        machine.disk().heal();
        end();
        drain();
    }

    /** Lets everything that nobody waits for come to its end. */
    void drain() {
        leftovers().forEach(this::finish);
        leftovers.clear();
        while (!errands().isEmpty()) {
            errands().forEach(errand -> advance(errand, Integer.MAX_VALUE));
        }
        doTasks(Integer.MAX_VALUE);
    }

    boolean isEnded() {
        return ended;
    }

    /** Whether a failure is what was done to this task on purpose; cancelled ones say so. */
    boolean isExpected(Throwable failure) {
        if (ExceptionUtils.findThrowable(failure, CancellationException.class).isPresent()) {
            return true;
        }
        String text = ExceptionUtils.stringifyException(failure);
        return text.contains("injected fault") || flipped.stream().anyMatch(text::contains);
    }
}
