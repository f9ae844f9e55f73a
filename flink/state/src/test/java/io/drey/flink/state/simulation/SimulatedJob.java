package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.SimulatedTask.Notice;
import io.drey.flink.state.simulation.SimulatedTask.Part;
import io.drey.flink.state.simulation.Tally.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.SnapshotType;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.util.ExceptionUtils;

/** A job's tasks and job manager, what is said between them, and the checkpoints that they take. */
final class SimulatedJob {
    private static final int NANOS_PER_MS = 1_000_000;

    /** Then two intervals are known. */
    private static final int WARM_BARRIERS = 3;

    final List<SimulatedTask> tasks = new ArrayList<>();

    /** Tasks of before, whose asynchronous parts may still run. */
    final List<SimulatedTask> ended = new ArrayList<>();

    SimulatedJobManager manager;
    private final World world;
    private final Tally tally;
    private final List<Message> messages = new ArrayList<>();

    /** When the next checkpoint is due, by the clock. */
    private long dueNanos;

    /** Whether tasks have seen so many barriers that they expect the next. */
    private boolean warm;

    /** An acknowledgement on its way. */
    private record Message(SimulatedJobManager to, long id, SimulatedTask from, OperatorSubtaskState state) {}

    /** Something that a task does in its own thread. */
    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }

    SimulatedJob(World world) {
        this.world = world;
        this.tally = world.tally;
    }

    /** Tells all tasks how a checkpoint ended. */
    void tell(long checkpointId, boolean complete) {
        tasks.forEach(task -> task.notices.add(new Notice(checkpointId, complete)));
    }

    /** Does it; false if it failed because of what was done to the task on purpose: then the job's attempt ends. */
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
            return false;
        }
    }

    private void noteFound(SimulatedTask task, Throwable failure) {
        String text = ExceptionUtils.stringifyException(failure);
        tally.count(Event.DISK_BIT_FOUND, task.flipped.stream().anyMatch(text::contains) ? 1 : 0);
        tally.count(Event.DISK_FULL_FOUND, text.contains("injected fault: full") ? 1 : 0);
        tally.count(Event.DISK_FAILURE_FOUND, text.contains("injected fault") ? 1 : 0);
    }

    /** Compares all state of a task, or a little of it; false if the job fails of it. */
    boolean check(SimulatedTask task, boolean all) throws Exception {
        return attempt(task, () -> {
            if (all) {
                task.checkAll(world.keys);
            } else {
                task.look(world.any(world.keys));
            }
        });
    }

    /** Whether no task has failed by itself; one may only of what was done on purpose. */
    boolean isFine() throws Exception {
        for (SimulatedTask task : tasks) {
            Throwable failure = task.machine.failure();
            if (failure != null) {
                tally.count(Event.LAZY_FAILED);
                return attempt(task, () -> {
                    throw new IOException(failure);
                });
            }
        }
        return true;
    }

    /** Some operations of the task that has the key; false if the job fails of them. */
    boolean operate(String key) throws Exception {
        for (SimulatedTask task : tasks) {
            if (task.has(key)) {
                return attempt(task, () -> task.operate(world.random, key));
            }
        }
        return true;
    }

    void trigger() {
        if (!manager.isDead() && manager.pending.size() < world.overlappingMax) {
            triggerOne();
        }
    }

    /** Time goes on until something is due, a round of preparation or a checkpoint, or later; false if the job fails. */
    boolean pass() throws Exception {
        long next = dueNanos;
        for (SimulatedTask task : tasks) {
            next = Math.min(next, task.machine.time().next());
        }
        int late = world.random.nextInt(world.random.nextInt(4) == 0 ? 500 : 20);
        world.clock.moveMs(Math.max(0, (next - world.clock.now()) / NANOS_PER_MS) + late);
        for (SimulatedTask task : tasks) {
            if (task.machine.time().next() <= world.clock.now() && !attempt(task, task::ring)) {
                return false;
            }
        }
        return world.clock.now() < dueNanos || periodic();
    }

    /** The checkpoint that is due by the clock. */
    private boolean periodic() throws Exception {
        boolean odd = world.random.nextInt(4) == 0;
        int least = odd ? 2 * world.intervalMs / 3 : world.intervalMs;
        dueNanos = world.clock.now()
                + (least + world.random.nextInt(odd ? world.intervalMs / 2 : 20)) * (long) NANOS_PER_MS;
        if (manager.isDead() || manager.pending.size() >= world.overlappingMax) {
            return true;
        }
        triggerOne();
        return world.random.nextInt(8) == 0 || barriers();
    }

    /** Whether a round of preparation or a look of the janitor is under way, or files of a restore are to come. */
    boolean isBusy() {
        return tasks.stream().anyMatch(task -> task.isBusy() || task.machine.isRestoring());
    }

    /** Tasks to kill: those in the midst of something, if there are any. */
    List<SimulatedTask> victims() {
        List<SimulatedTask> busy = tasks.stream().filter(SimulatedTask::isBusy).toList();
        return busy.isEmpty() ? tasks : busy;
    }

    boolean isWarm() {
        return warm;
    }

    /** So many barriers, at their times, that the next are expected; false if the job fails. */
    boolean warmUp() throws Exception {
        warm = true;
        dueNanos = world.clock.now();
        for (int i = 0; i < WARM_BARRIERS; i++) {
            if (!pass()) {
                return false;
            }
            if (world.random.nextBoolean()) {
                manager.abortCheckpoints();
            } else if (!hurry()) {
                return false;
            }
        }
        return true;
    }

    /** Begins a savepoint, if none is under way. */
    void savepoint() {
        if (!manager.isDead() && manager.pending.values().stream().noneMatch(each -> each.savepoint)) {
            long id = manager.triggerSavepoint().id;
            tasks.forEach(task -> task.barriers.add(id));
        }
    }

    /** Has all tasks meet a barrier; false if the job fails of it. */
    boolean barriers() throws Exception {
        for (SimulatedTask task : List.copyOf(tasks)) {
            if (!barrier(task)) {
                return false;
            }
        }
        return true;
    }

    /** Begins a checkpoint, and returns its number. */
    long triggerOne() {
        long id = manager.trigger().id;
        tasks.forEach(task -> task.barriers.add(id));
        return id;
    }

    /** Has a task meet its next barrier; false if the job fails of it. */
    boolean barrier(SimulatedTask task) throws Exception {
        return attempt(task, () -> meetBarrier(task));
    }

    private void meetBarrier(SimulatedTask task) throws Exception {
        Long id = task.barriers.poll();
        SimulatedJobManager.Pending checkpoint = id == null ? null : manager.pending.get(id);
        if (checkpoint != null) {
            task.barrier(id, checkpoint.full, world.streams(manager, checkpoint), options(checkpoint));
            checkpoint.model.add(task.model.copy(task::has));
        }
    }

    private static CheckpointOptions options(SimulatedJobManager.Pending checkpoint) {
        SnapshotType type = checkpoint.savepoint
                ? SavepointType.savepoint(SavepointFormatType.NATIVE)
                : checkpoint.full ? CheckpointType.FULL_CHECKPOINT : CheckpointType.CHECKPOINT;
        return new CheckpointOptions(type, CheckpointStorageLocationReference.getDefault());
    }

    /** Brings the checkpoints under way to their ends, as far as nothing is in their way; false if the job fails. */
    boolean hurry() throws Exception {
        if (world.intervalMs == 0) {
            trigger();
        }
        for (SimulatedTask task : List.copyOf(tasks)) {
            while (!task.barriers.isEmpty()) {
                if (!barrier(task)) {
                    return false;
                }
            }
            for (Part part : task.running()) {
                // A savepoint takes its time.
                if (!part.savepoint) {
                    task.finish(part);
                    report(task, part);
                }
            }
        }
        while (!messages.isEmpty()) {
            deliver();
        }
        for (SimulatedTask task : tasks) {
            while (!task.notices.isEmpty() && world.random.nextInt(8) != 0) {
                task.hear(task.notices.poll());
            }
        }
        return true;
    }

    /** Other threads begin what tasks have given to them. */
    void begin() {
        for (SimulatedTask task : tasks) {
            for (Errand errand : task.errands()) {
                if (world.random.nextInt(3) == 0) {
                    task.advance(errand, 1 + world.random.nextInt(4));
                }
            }
        }
    }

    /** Lets asynchronous parts go on for a while. */
    void advance() {
        SimulatedTask task = world.any(tasks);
        List<Part> running = task.running();
        if (!running.isEmpty()) {
            int pauses = 1 + world.random.nextInt(world.random.nextInt(4) == 0 ? 200 : 20);
            task.advance(world.any(running), pauses);
        }
        List<SimulatedTask> all = new ArrayList<>(ended);
        all.addAll(tasks);
        for (SimulatedTask other : all) {
            for (Part leftover : other.leftovers()) {
                if (world.random.nextInt(4) == 0) {
                    other.advance(leftover, 1 + world.random.nextInt(20));
                }
            }
            for (Errand errand : other.errands()) {
                boolean hangs = errand.kind == Errand.Kind.ATTEMPT && errand.hasBegun();
                if (world.random.nextInt(hangs ? 24 : 2) == 0) {
                    other.advance(errand, 1 + world.random.nextInt(world.random.nextInt(4) == 0 ? 100 : 8));
                }
            }
            other.doTasks(world.random.nextInt(4));
        }
    }

    /** One asynchronous part that is done tells the job manager. */
    void report() throws Exception {
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
            manager.abort(part.id);
            return;
        }
        OperatorSubtaskState state = SimulatedJobManager.sent(result.getJobManagerOwnedSnapshot());
        tally.count(Event.REUSED, Orphans.referred(state));
        tally.count(Event.ROUND_FILE_LISTED, ahead(state));
        tally.count(Event.PACKED, Orphans.packed(state));
        messages.add(new Message(manager, part.id, task, state));
        if (result.getTaskLocalSnapshot() != null) {
            task.localCopies.put(part.id, result.getTaskLocalSnapshot());
        }
    }

    private long ahead(OperatorSubtaskState state) {
        return SimulatedJobManager.paths(state).stream()
                .filter(world.storage::isAhead)
                .count();
    }

    /** Any message arrives. */
    void deliver() throws Exception {
        if (!messages.isEmpty()) {
            Message message = messages.remove(world.random.nextInt(messages.size()));
            if (message.to() == manager && !manager.isDead()) {
                if (!manager.acknowledge(message.id(), message.from().index, message.state())) {
                    world.orphans.lostAcknowledgement(message.state());
                }
            } else {
                lost(message);
            }
        }
    }

    /** Any message is lost. */
    void loseMessage() {
        if (!messages.isEmpty()) {
            lost(messages.remove(world.random.nextInt(messages.size())));
        }
    }

    private void lost(Message message) {
        tally.count(Event.ACK_LOST);
        world.orphans.lostAcknowledgement(message.state());
    }

    /** A task hears how a checkpoint ended, or never does. */
    void hear() throws Exception {
        SimulatedTask task = world.any(tasks);
        Notice notice = task.notices.poll();
        if (notice != null) {
            if (world.random.nextInt(10) == 0) {
                tally.count(Event.NOTICE_LOST);
            } else {
                task.hear(notice);
            }
        }
    }

    /** A checkpoint takes too long. */
    void abort() {
        if (!manager.pending.isEmpty()) {
            manager.abort(world.any(List.copyOf(manager.pending.keySet())));
        }
    }

    /** Does all that is to be done, in order; checkpoints that do not complete then are given up. */
    void settle() throws Exception {
        for (SimulatedTask task : tasks) {
            while (!task.barriers.isEmpty()) {
                meetBarrier(task);
            }
            for (Part part : task.running()) {
                task.finish(part);
                report(task, part);
            }
        }
        while (!messages.isEmpty()) {
            deliver();
        }
        hearAll();
        tasks.forEach(SimulatedTask::drain);
        ended.forEach(SimulatedTask::drain);
        manager.abortAll();
        hearAll();
        world.checkStorage();
    }

    private void hearAll() throws Exception {
        for (SimulatedTask task : tasks) {
            while (!task.notices.isEmpty()) {
                task.hear(task.notices.poll());
            }
        }
    }

    /** Ends all tasks, one of them maybe by killing its process. */
    void end(SimulatedTask killed) throws Exception {
        for (SimulatedTask task : tasks) {
            if (killed != null && task.process == killed.process) {
                task.countKill(messages.stream().anyMatch(message -> message.from() == task));
                task.kill();
                world.orphans.killed(task.process, told());
            } else {
                task.machine.disk().heal();
                task.end();
            }
            ended.add(task);
        }
        tasks.clear();
        world.distantFaults.heal();
        warm = false;
    }

    /** Files that the job manager knows, or will from messages on their way. */
    private Set<String> told() {
        Set<String> told = new TreeSet<>(manager.known());
        messages.forEach(message -> told.addAll(SimulatedJobManager.paths(message.state())));
        return told;
    }
}
