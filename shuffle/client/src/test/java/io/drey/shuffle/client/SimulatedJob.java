package io.drey.shuffle.client;

import io.drey.shuffle.client.SimulatedReader.End;
import io.drey.shuffle.client.Tally.Event;
import io.drey.shuffle.protocol.message.Leasing.Release;
import io.drey.shuffle.protocol.message.PartitionKey;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job as Flink's scheduler runs it: producers, then consumers; a producer that fails runs again, and what is lost is
 * produced again for all its consumers. What fails without a reason in {@link Troubles} fails the history.
 */
final class SimulatedJob implements SimulatedAttempt.Whom {
    private static final String NAME = "job";

    /** Each attempt of a stage has its reason to fail, but one stage that needs more of them makes no progress. */
    private static final int ATTEMPTS_MAX = 12;

    /** How long a job manager lives that leads no more. */
    private static final long ZOMBIE_NANOS = 30 * World.SECOND;

    private static final int ZOMBIE_PARTITIONS = 5;

    /** By so much at most the clock of one is ahead of another's. */
    private static final long CLOCKS_MS = 600_000;

    private final World world;
    private final SimulatedNetwork network;
    private final Troubles troubles;
    private final Tally tally;
    private final List<Integer> registries;
    private final ClientOptions options;
    private final List<Stage> stages = new ArrayList<>();
    private final Map<PartitionKey, SimulatedAttempt> attempts = new LinkedHashMap<>();
    private final List<SimulatedReader> readers = new ArrayList<>();
    private final List<Worker> taskManagers = new ArrayList<>();
    private SimulatedProcess jobManager;
    private ShuffleControl control;
    private JobLease lease;
    private int nextMachine = 10;
    private int runs;
    private int changes;
    private boolean isRecovering;
    private boolean isFinished;

    /** A task manager. */
    private record Worker(SimulatedProcess process, ShuffleClient client) {}

    /** A partition, and who reads it. */
    private static final class Stage {
        private final int number;
        private final int subpartitions;
        private final List<Consumer> consumers = new ArrayList<>();
        private SimulatedAttempt attempt;
        private int attempts;
        private boolean isStarting;

        Stage(int number, int subpartitions) {
            this.number = number;
            this.subpartitions = subpartitions;
        }

        boolean isDone() {
            return consumers.stream().allMatch(each -> each.isDone);
        }

        @Override
        public String toString() {
            return "stage " + number + ": " + (attempt == null ? "no attempt" : attempt) + ", its consumers "
                    + consumers;
        }
    }

    /** A consumer of a range of subpartitions. */
    private static final class Consumer {
        private final int from;
        private final int to;
        private SimulatedReader reader;
        private Worker where;
        private boolean isDone;

        Consumer(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public String toString() {
            return from + ".." + to + (isDone ? " done" : reader == null ? " not reading" : " reading");
        }
    }

    SimulatedJob(
            World world,
            SimulatedNetwork network,
            Troubles troubles,
            Tally tally,
            Duration wait,
            List<Integer> registries) {
        this.world = world;
        this.network = network;
        this.troubles = troubles;
        this.tally = tally;
        this.registries = registries;
        List<InetSocketAddress> addresses = registries.stream()
                .map(each -> InetSocketAddress.createUnresolved(SimulatedNetwork.host(each), SimulatedNetwork.PORT))
                .toList();
        options = new ClientOptions(addresses, null, 1 + world.random().nextInt(2), wait);
        for (int i = 1 + world.random().nextInt(3); i > 0; i--) {
            startTaskManager();
        }
        startJobManager();
        // At times there are more producers at once than workers have memory for.
        boolean isCrowded = world.oneIn(8);
        tally.count(Event.CROWDED, isCrowded ? 1 : 0);
        long startNanos = isCrowded ? World.SECOND : 20 * World.SECOND;
        for (int i = isCrowded ? 20 : 1 + world.random().nextInt(4); i > 0; i--) {
            Stage stage = new Stage(i, 1 + world.random().nextInt(4));
            for (int from = 0; from < stage.subpartitions; ) {
                int to = from + world.random().nextInt(stage.subpartitions - from);
                stage.consumers.add(new Consumer(from, to));
                from = to + 1;
            }
            if (world.oneIn(3)) {
                stage.consumers.add(new Consumer(0, stage.subpartitions - 1));
            }
            stages.add(stage);
            world.after(world.between(1, startNanos), () -> produce(stage));
        }
    }

    private void startTaskManager() {
        SimulatedProcess process = new SimulatedProcess(network, nextMachine++);
        taskManagers.add(new Worker(process, ShuffleClient.open(options, process)));
    }

    private void startJobManager() {
        long clockMs = world.oneIn(2) ? world.between(1, CLOCKS_MS) : 1;
        SimulatedProcess process = new SimulatedProcess(network, nextMachine++, clockMs);
        jobManager = process;
        control = ShuffleControl.open(options, process);
        lease = control.lease(
                NAME,
                Told.losses(keys -> world.after(world.jitter(), () -> {
                    if (process == jobManager && !isFinished) {
                        gone(keys);
                    }
                })));
    }

    private Worker anyTaskManager() {
        return taskManagers.get(world.random().nextInt(taskManagers.size()));
    }

    private void produce(Stage stage) {
        stage.isStarting = false;
        if (stage.attempt != null || stage.isDone()) {
            return;
        }
        List<Candidate> candidates =
                isRecovering ? List.of() : control.choose(1 + world.random().nextInt(3));
        if (candidates.isEmpty()) {
            produceLater(stage);
            return;
        }
        if (++stage.attempts > ATTEMPTS_MAX) {
            world.fail(new AssertionError("no progress in " + ATTEMPTS_MAX + " attempts of " + stage));
            return;
        }
        runs++;
        tally.count(Event.ATTEMPT);
        PartitionKey key = new PartitionKey(NAME, "exchange" + stage.number % 2, stage.number, runs);
        SimulatedPartition partition = new SimulatedPartition(world.random(), key, stage.subpartitions);
        lease.keep(key, candidates);
        lease.keepNothingElse();
        Worker where = anyTaskManager();
        stage.attempt = new SimulatedAttempt(world, partition, candidates, where.process(), where.client(), this);
        attempts.put(key, stage.attempt);
    }

    private void produceLater(Stage stage) {
        if (!stage.isStarting) {
            stage.isStarting = true;
            world.after(World.SECOND, () -> produce(stage));
        }
    }

    private Stage stage(SimulatedAttempt attempt) {
        return stages.stream()
                .filter(each -> each.attempt == attempt)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void committed(SimulatedAttempt attempt) {
        tally.count(Event.COMMITTED);
        tally.count(Event.REGION, attempt.partition().regions());
        Stage stage = stage(attempt);
        if (stage != null) {
            stage.consumers.forEach(each -> consumeLater(stage, each));
        }
    }

    private void excused(SimulatedAttempt attempt, SimulatedProcess other, String what) {
        if (!troubles.excuse(attempt.machines(other), attempt.since())) {
            world.fail(new AssertionError(
                    "without a reason, " + attempt.partition().key() + " of " + attempt.candidates() + " " + what));
        }
    }

    @Override
    public void failed(SimulatedAttempt attempt, String why) {
        tally.count(Event.WRITER_FAILED);
        excused(attempt, attempt.process(), "could not be written: " + why);
        // Nobody but its writer releases it.
        abandon(attempt);
    }

    /** An attempt is worth nothing any more: it is released, and its stage runs again. */
    private void again(SimulatedAttempt attempt) {
        release(attempt);
        abandon(attempt);
    }

    private void abandon(SimulatedAttempt attempt) {
        attempt.cancel();
        Stage stage = stage(attempt);
        if (stage == null) {
            return;
        }
        stage.attempt = null;
        for (Consumer each : stage.consumers) {
            if (each.reader != null && each.where.process().isUp()) {
                each.reader.close();
            }
            each.reader = null;
            each.isDone = false;
        }
        produceLater(stage);
    }

    private void release(SimulatedAttempt attempt) {
        if (jobManager.isUp()) {
            control.release(attempt.partition().key(), attempt.candidates());
            lease.forget(attempt.partition().key());
        }
    }

    private void consumeLater(Stage stage, Consumer consumer) {
        SimulatedAttempt attempt = stage.attempt;
        world.after(world.between(1, 3 * World.SECOND), () -> {
            if (stage.attempt == attempt && consumer.reader == null && !consumer.isDone) {
                consume(stage, consumer);
            }
        });
    }

    private void consume(Stage stage, Consumer consumer) {
        SimulatedAttempt attempt = stage.attempt;
        SimulatedPartition partition = attempt.partition();
        Worker where = anyTaskManager();
        SimulatedReader[] made = new SimulatedReader[1];
        SimulatedReader reader =
                new SimulatedReader(world, where.process(), partition, consumer.from, consumer.to, (end, why) -> {
                    if (consumer.reader == made[0]
                            && stage.attempt == attempt
                            && where.process().isUp()) {
                        ended(stage, consumer, end, why);
                    }
                });
        made[0] = reader;
        readers.add(reader);
        consumer.reader = reader;
        consumer.where = where;
        reader.start(where.client()
                .read(partition.key(), attempt.candidates(), consumer.from, consumer.to, reader.firstCredit(), reader));
        if (world.oneIn(10)) {
            world.after(world.between(1, World.SECOND), () -> {
                if (where.process().isUp()) {
                    reader.close();
                }
            });
        }
    }

    private void ended(Stage stage, Consumer consumer, End end, String why) {
        consumer.reader = null;
        SimulatedAttempt attempt = stage.attempt;
        switch (end) {
            case COMPLETE -> {
                tally.count(Event.READ);
                consumer.isDone = true;
                if (stage.isDone() && world.oneIn(2)) {
                    release(attempt);
                }
            }
            case LOST -> {
                tally.count(Event.LOST);
                excused(attempt, consumer.where.process(), "is lost: " + why);
                again(attempt);
            }
            case FAILED -> {
                excused(attempt, consumer.where.process(), "could not be read: " + why);
                consumeLater(stage, consumer);
            }
            case CLOSED -> consumeLater(stage, consumer);
        }
    }

    private void gone(Collection<PartitionKey> keys) {
        for (PartitionKey key : keys) {
            SimulatedAttempt attempt = attempts.get(key);
            if (stage(attempt) != null) {
                tally.count(Event.TOLD_LOSS);
                excused(attempt, jobManager, "is said to be lost");
                again(attempt);
            }
        }
    }

    /** A task manager is killed, and another one comes. */
    void killTaskManager() {
        Worker killed = taskManagers.remove(world.random().nextInt(taskManagers.size()));
        killed.process().kill();
        startTaskManager();
        boolean isCalm = troubles.isCalm();
        for (SimulatedAttempt each : attempts.values()) {
            if (each.process() == killed.process() && !isCalm) {
                // It may have had to tell somebody yet.
                troubles.lasting(killed.process().machine());
            }
        }
        for (Stage stage : stages) {
            if (stage.attempt != null && !stage.attempt.isCommitted() && stage.attempt.process() == killed.process()) {
                again(stage.attempt);
            }
            for (Consumer each : stage.consumers) {
                if (each.reader != null && each.where.equals(killed)) {
                    each.reader = null;
                    if (stage.attempt != null) {
                        consumeLater(stage, each);
                    }
                }
            }
        }
    }

    /** The job manager is gone, or believes so of itself too late; another one leads. */
    void changeJobManager(boolean isKilled) {
        SimulatedProcess oldProcess = jobManager;
        ShuffleControl oldControl = control;
        if (isKilled) {
            oldProcess.kill();
        } else {
            world.after(ZOMBIE_NANOS, oldProcess::kill);
        }
        boolean goesOn = !isKilled && world.oneIn(2);
        if (goesOn) {
            goOn(oldProcess, oldControl, lease);
        }
        isRecovering = true;
        int change = ++changes;
        world.after(world.between(1, 5 * World.SECOND), () -> {
            if (change != changes) {
                // Another one is to lead by now: this one would never be told to end.
                return;
            }
            startJobManager();
            world.after(World.SECOND, () -> {
                if (change == changes) {
                    recover(change, oldProcess, goesOn ? null : oldControl);
                }
            });
        });
    }

    /** One that leads no more gives partitions to workers, also to those that it had nothing to do with until then. */
    private void goOn(SimulatedProcess process, ShuffleControl old, JobLease oldLease) {
        for (int i = 0; i < ZOMBIE_PARTITIONS; i++) {
            PartitionKey key = new PartitionKey(NAME, "none", i, runs);
            world.after(world.between(1, ZOMBIE_NANOS), () -> {
                if (process.isUp()) {
                    oldLease.keep(key, old.choose(1 + world.random().nextInt(3)));
                }
            });
        }
    }

    /** Until it is to be replaced itself: what it finds out after that changes nothing for the next one. */
    private void recover(int change, SimulatedProcess oldProcess, ShuffleControl old) {
        long asked = world.now();
        List<PartitionKey> expected = stages.stream()
                .filter(stage -> stage.attempt != null && stage.attempt.isCommitted() && !stage.isDone())
                .map(stage -> stage.attempt.partition().key())
                .toList();
        lease.commits(expected, Duration.ofSeconds(5))
                .whenComplete((found, cause) -> world.after(world.jitter(), () -> {
                    if (change == changes) {
                        recovered(found, asked);
                        if (old != null && oldProcess.isUp()) {
                            releaseLate(old);
                        }
                    }
                }));
    }

    /** What is committed and known goes on; all else is produced again, or, if it is under way, at times goes on. */
    private void recovered(Map<PartitionKey, Commit> found, long askedAt) {
        isRecovering = false;
        Map<PartitionKey, Commit> known = new HashMap<>(found);
        for (Stage stage : stages) {
            SimulatedAttempt attempt = stage.attempt;
            if (attempt != null && !attempt.isCommitted()) {
                if (world.oneIn(2)) {
                    lease.keep(attempt.partition().key(), attempt.candidates());
                } else {
                    tally.count(Event.ABANDONED);
                    abandon(attempt);
                }
            } else if (attempt != null && !stage.isDone()) {
                Commit commit = known.remove(attempt.partition().key());
                if (commit == null) {
                    List<Integer> asked = attempt.machines(jobManager);
                    asked.addAll(registries);
                    // One that was committed after its worker had answered is produced again, too.
                    if (attempt.isCommittedBefore(askedAt) && !troubles.isRecent(asked)) {
                        world.fail(new AssertionError(attempt.partition().key() + " is not known to workers"));
                    }
                    again(attempt);
                } else {
                    tally.count(Event.RECOVERED);
                    check(attempt, commit);
                    lease.keep(attempt.partition().key(), attempt.candidates());
                }
            }
        }
        lease.keepNothingElse();
    }

    private void check(SimulatedAttempt attempt, Commit commit) {
        if (!Arrays.equals(commit.subpartitionBytes(), attempt.partition().bytes())) {
            world.fail(new AssertionError(
                    "other bytes in the commit of " + attempt.partition().key()));
        }
        if (!attempt.candidates().containsAll(commit.holders())) {
            world.fail(new AssertionError("holders " + commit.holders() + " of "
                    + attempt.partition().key() + " are none of its candidates"));
        }
    }

    /** The old one releases all: nobody may obey it, if all workers know the new one. */
    private void releaseLate(ShuffleControl old) {
        if (troubles.isEmpty()) {
            tally.count(Event.FENCED);
            for (SimulatedAttempt each : attempts.values()) {
                old.release(each.partition().key(), each.candidates());
            }
        }
    }

    boolean isDone() {
        return !isRecovering && stages.stream().allMatch(Stage::isDone);
    }

    /** The stages that are not done, for a message. */
    String openStages() {
        return (isRecovering ? "the job manager recovers; " : "")
                + stages.stream()
                        .filter(each -> !each.isDone())
                        .map(Stage::toString)
                        .toList();
    }

    /** All that its consumers wanted is read: what is lost from now on is nobody's. */
    void finish() {
        isFinished = true;
    }

    /** A machine of the job, of which the network may fail. */
    int anyMachine() {
        return world.oneIn(3)
                ? jobManager.machine()
                : anyTaskManager().process().machine();
    }

    /** Nothing of it is needed: all is released, and what is still open is closed. */
    void release() {
        for (SimulatedAttempt each : attempts.values()) {
            each.cancel();
            release(each);
        }
        readers.stream()
                .filter(each -> each.process().isUp() && each.end() == null)
                .forEach(SimulatedReader::close);
    }

    /** All that its clients should have given back, and did not. */
    void checkNothingIsHeld() {
        for (SimulatedAttempt each : attempts.values()) {
            if (each.regionsHeld() != 0) {
                throw new AssertionError(each.regionsHeld() + " regions are held by "
                        + each.partition().key());
            }
        }
    }

    /** Whether its job manager is not the first one. */
    boolean isToLead() {
        return changes > 0;
    }

    /** Its last job manager asks all workers, also those that it never had to do with. */
    void askAll(List<Candidate> workers) {
        PartitionKey key = new PartitionKey(NAME, "none", 0, 0);
        lease.keep(key, workers);
        lease.forget(key);
    }

    /** Something that its last job manager may do, and none before it. */
    Release releaseOfNothing() {
        return new Release(NAME, lease.session(), List.of(new PartitionKey(NAME, "none", 0, 0)));
    }

    /** The lease ends by and by. */
    void close() {
        lease.close();
        taskManagers.forEach(each -> each.client().close());
        control.close();
    }
}
