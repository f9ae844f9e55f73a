package io.drey.flink.state.simulation;

import io.drey.flink.state.simulation.Tally.Event;
import io.drey.foundation.Memory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One seed's history of a job: its tasks, its job manager, the storage and the disks, in one thread and by one clock.
 * What the job lost by design is known: {@link Orphans}. Everything else is checked.
 */
final class Simulation {
    static final int MS_PER_HOUR = 3_600_000;

    /** Turns of changes and compactions. */
    private static final int OVERTAKING_MAX = 12;

    /** Steps of a task's background. */
    private static final int EXPIRING_MAX = 200;

    private final World world;
    private final SplittableRandom random;
    private final Tally tally;
    private final SimulatedJob job;
    private final Recoveries recoveries;
    private final SideRestores sideRestores;
    private final LastChecks lastChecks;

    /** @param base a directory for local files, used if the seed says so */
    Simulation(long seed, Path base, Tally tally) {
        this.tally = tally;
        world = new World(seed, base, tally);
        random = world.random;
        job = new SimulatedJob(world);
        sideRestores = new SideRestores(world, job);
        recoveries = new Recoveries(world, job, sideRestores);
        lastChecks = new LastChecks(world, job, recoveries, sideRestores);
    }

    void run() throws Exception {
        long allocatedBefore = Memory.allocatedBytes();
        recoveries.begin();
        world.beginStorageFaults();
        for (int i = 0; i < world.steps; i++) {
            step();
            sideRestores.checkSavepoints();
            restartUnless(job.isFine());
            if (job.manager.isDead()) {
                recoveries.failOver();
            }
            world.clock.moveMs(random.nextInt(20));
            world.checkStorage();
            tally.trace(world.storage.bytes());
        }
        lastChecks.quiet();
        tally.trace(world.storage.digest());
        lastChecks.end();
        if (Memory.allocatedBytes() != allocatedBefore) {
            throw new AssertionError("expected all memory back, found " + (Memory.allocatedBytes() - allocatedBefore)
                    + " bytes still taken");
        }
    }

    private void step() throws Exception {
        if (job.isBusy() && disturb()) {
            return;
        }
        if (world.intervalMs > 0 && passTime()) {
            return;
        }
        if (world.hasLocalRecovery && random.nextInt(64) == 0) {
            changeParallelismSoon();
            return;
        }
        int choice = random.nextInt(1000);
        tally.trace(choice);
        if (choice < 300) {
            operate();
        } else if (choice < 330) {
            restartUnless(job.hurry());
        } else if (choice < 430) {
            background();
        } else if (choice < 500) {
            triggerAtAnyTime();
        } else if (choice < 530) {
            lookAfterStorage();
        } else if (choice < 630) {
            restartUnless(job.barrier(world.any(job.tasks)));
        } else if (choice < 760) {
            job.advance();
        } else if (choice < 830) {
            job.report();
        } else if (choice < 900) {
            deliver();
        } else if (choice < 950) {
            job.hear();
        } else if (choice < 960) {
            job.abort();
        } else if (choice < 966) {
            job.loseMessage();
        } else if (choice < 980) {
            diskFault();
        } else if (choice < 991) {
            failure();
        } else {
            recoveries.newJob();
        }
    }

    /** What is done beside checkpoints ends in the midst now and then. */
    private boolean disturb() throws Exception {
        int choice = random.nextInt(40);
        if (choice == 0) {
            recoveries.restart(true);
        } else if (choice < 3) {
            world.distantFaults.spoil(job.tasks);
        } else if (choice < (world.allExpires ? 9 : 5)) {
            overtakeSavepoint();
        } else {
            return false;
        }
        return true;
    }

    /** Much changes while a savepoint is being written, and a checkpoint completes without what has gone. */
    private void overtakeSavepoint() throws Exception {
        job.savepoint();
        restartUnless(job.barriers());
        for (int i = random.nextInt(OVERTAKING_MAX); i >= 0; i--) {
            operate();
            background();
        }
        if (world.allExpires) {
            letExpire();
        }
        job.trigger();
        restartUnless(job.hurry());
    }

    /** Parallelism changes, and again while subtasks still have files of before in common, here and in the storage. */
    private void changeParallelismSoon() throws Exception {
        recoveries.restart(false);
        for (int i = 0; i < 2; i++) {
            operate();
            job.trigger();
            restartUnless(job.hurry());
        }
        if (!job.manager.isDead()) {
            recoveries.restart(false);
        }
    }

    /** What has a time to live ends, and with it files: those that are not here yet too. */
    private void letExpire() {
        world.clock.moveMs(MS_PER_HOUR);
        for (SimulatedTask task : job.tasks) {
            for (int i = random.nextInt(EXPIRING_MAX); i >= 0; i--) {
                task.machine.background().step();
            }
        }
    }

    /** Where checkpoints come at their times, much of what happens is that it becomes later. */
    private boolean passTime() throws Exception {
        if (random.nextInt(4) != 0) {
            return false;
        }
        tally.trace(1);
        boolean passes = job.isWarm() || random.nextInt(3) == 0;
        restartUnless(passes ? job.pass() : job.warmUp());
        job.begin();
        if (job.isBusy() && random.nextInt(24) == 0) {
            recoveries.restart(true);
        }
        return true;
    }

    private void triggerAtAnyTime() {
        if (random.nextInt(6) == 0) {
            job.savepoint();
        } else if (world.intervalMs == 0 || random.nextInt(8) == 0) {
            job.trigger();
        }
    }

    /** What befalls the directories of checkpoints beside the job, and how it becomes known. */
    private void lookAfterStorage() throws Exception {
        switch (random.nextInt(8)) {
            case 0 -> {
                tally.count(Event.AN_HOUR);
                world.clock.moveMs(MS_PER_HOUR);
            }
            case 1, 2, 3, 4 -> recoveries.audit();
            default -> world.doubts.damage(job.manager.metadataPaths());
        }
    }

    private void deliver() throws Exception {
        job.deliver();
        if (job.manager.hasAcknowledgements() && random.nextInt(30) == 0) {
            recoveries.failOver();
        }
    }

    private void restartUnless(boolean fine) throws Exception {
        if (!fine) {
            recoveries.restart(false);
        }
    }

    private void operate() throws Exception {
        for (int i = random.nextInt(12); i >= 0; i--) {
            if (!job.operate(world.any(world.keys))) {
                recoveries.restart(false);
                return;
            }
        }
    }

    private void background() {
        SimulatedTask task = world.any(job.tasks);
        for (int i = random.nextInt(20); i >= 0; i--) {
            task.machine.background().step();
        }
    }

    private void diskFault() throws Exception {
        SimulatedTask task = world.any(job.tasks);
        if (!world.hasDiskFaults) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                int io = random.nextInt(30);
                if (random.nextInt(3) == 0) {
                    task.machine.faulty().failFrom(io);
                    tally.count(Event.DISK_FAILED_FOR_GOOD);
                } else {
                    task.machine.faulty().failAt(io);
                    tally.count(Event.DISK_FAILED);
                }
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
        if (names.isEmpty()) {
            return;
        }
        String name = world.any(names);
        long bytes = task.machine.length(name);
        if (bytes > 0) {
            task.machine.disk().flip(name, random.nextLong(8 * bytes));
            task.flipped.add(name);
            tally.count(Event.DISK_BIT_FLIPPED);
        }
    }

    private void failure() throws Exception {
        switch (random.nextInt(4)) {
            case 0 -> {
                tally.count(Event.TASK_FAILED);
                recoveries.restart(false);
            }
            case 1, 2 -> recoveries.restart(true);
            default -> {
                if (random.nextInt(3) == 0) {
                    job.manager.dieNext();
                } else {
                    recoveries.failOver();
                }
            }
        }
    }
}
