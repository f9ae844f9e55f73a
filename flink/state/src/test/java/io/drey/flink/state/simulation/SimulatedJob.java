package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.SimulatedTask.Notice;
import io.drey.flink.state.simulation.SimulatedTask.Part;
import io.drey.flink.state.simulation.Tally.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.CheckpointType;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.util.ExceptionUtils;

/** A job's tasks and job manager, what is said between them, and the checkpoints that they take. */
final class SimulatedJob {
    final List<SimulatedTask> tasks = new ArrayList<>();

    /** Tasks of before, whose asynchronous parts may still run. */
    final List<SimulatedTask> ended = new ArrayList<>();

    SimulatedJobManager manager;
    private final World world;
    private final Tally tally;
    private final List<Message> messages = new ArrayList<>();

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
        if (manager.pending.size() < world.overlappingMax) {
            triggerOne();
        }
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
            task.barrier(id, checkpoint.full, world.streams(manager), options(checkpoint.full));
            checkpoint.model.add(task.model.copy(task::has));
        }
    }

    private static CheckpointOptions options(boolean full) {
        return new CheckpointOptions(
                full ? CheckpointType.FULL_CHECKPOINT : CheckpointType.CHECKPOINT,
                CheckpointStorageLocationReference.getDefault());
    }

    /** Brings the checkpoints under way to their ends, as far as nothing is in their way; false if the job fails. */
    boolean hurry() throws Exception {
        trigger();
        for (SimulatedTask task : List.copyOf(tasks)) {
            while (!task.barriers.isEmpty()) {
                if (!barrier(task)) {
                    return false;
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
            while (!task.notices.isEmpty() && world.random.nextInt(8) != 0) {
                task.hear(task.notices.poll());
            }
        }
        return true;
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
        messages.add(new Message(manager, part.id, task, state));
        if (result.getTaskLocalSnapshot() != null) {
            task.localCopies.put(part.id, result.getTaskLocalSnapshot());
        }
    }

    /** Any message arrives. */
    void deliver() throws Exception {
        if (!messages.isEmpty()) {
            Message message = messages.remove(world.random.nextInt(messages.size()));
            if (message.to() == manager) {
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
                while (!part.isDone()) {
                    task.advance(part, Integer.MAX_VALUE);
                }
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
            if (task == killed) {
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
    }

    /** Files that the job manager knows, or will from messages on their way. */
    private Set<String> told() {
        Set<String> told = new TreeSet<>(manager.known());
        messages.forEach(message -> told.addAll(SimulatedJobManager.paths(message.state())));
        return told;
    }
}
