package io.drey.shuffle.client;

import io.drey.shuffle.client.Tally.Event;
import io.drey.shuffle.worker.memory.SlabShelf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All that befalls a job and its workers, from one seed: then all is mended, the job ends, and nothing may be left. */
final class ShuffleHistory {
    private static final long FAULTS_NANOS = 40 * World.SECOND;
    private static final long STEP_NANOS = 5 * World.SECOND;
    private static final long END_NANOS = 1_800 * World.SECOND;

    /** Until both ends of a connection have seen that it carries nothing, and have another one. */
    private static final long MUTE_NANOS = 50 * World.SECOND;

    private static final long RELEASE_NANOS = 25 * World.SECOND;

    /** Until a job manager leads workers that it reaches late, whatever those before it said there. */
    private static final long LEAD_NANOS = 90 * World.SECOND;

    private final World world;
    private final Tally tally;
    private final SimulatedNetwork network;
    private final Troubles troubles;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<SimulatedWorker> gone = new ArrayList<>();
    private final SimulatedJob job;
    private final long keepMs;

    /** Whether something may be left over until leases end: a release that nobody does again, or cannot be done. */
    private boolean mayLeave;

    ShuffleHistory(long seed, SlabShelf slabs, Tally tally) {
        this.tally = tally;
        world = new World(seed);
        network = new SimulatedNetwork(world);
        Duration wait = Duration.ofSeconds(List.of(2, 10, 30).get(world.random().nextInt(3)));
        troubles = new Troubles(world, wait.toNanos());
        int count = 1 + world.random().nextInt(3);
        keepMs = world.oneIn(2) ? 30_000 : 240_000;
        List<Integer> registries = count > 1 && world.oneIn(2) ? List.of(1, 2) : List.of(1);
        SimulatedWorker.Setting setting = new SimulatedWorker.Setting(world, network, slabs, keepMs, registries);
        for (int i = 1; i <= count; i++) {
            SimulatedWorker worker =
                    new SimulatedWorker(setting, i, 1 + world.random().nextInt(2));
            workers.add(worker);
            worker.start();
        }
        job = new SimulatedJob(world, network, troubles, tally, wait, registries);
        for (int faults = world.random().nextInt(4); faults > 0; faults--) {
            world.after(world.between(1, FAULTS_NANOS), this::fault);
        }
    }

    void run() {
        world.runUntil(FAULTS_NANOS);
        world.runUntil(FAULTS_NANOS + World.SECOND);
        while (!job.isDone() || !troubles.isCalm()) {
            if (world.now() > END_NANOS) {
                throw new AssertionError("the job does not end: " + job.openStages());
            }
            world.runUntil(world.now() + STEP_NANOS);
        }
        job.finish();
        mend();
        world.runUntil(world.now() + STEP_NANOS);
        job.release();
        world.runUntil(world.now() + RELEASE_NANOS);
        job.checkNothingIsHeld();
        if (!mayLeave) {
            for (SimulatedWorker each : workers) {
                check(
                        each,
                        each.disks().stream()
                                .flatMap(disk -> disk.data().stream())
                                .toList()
                                .toString(),
                        "[]");
                audit(each);
            }
        }
        if (job.isToLead()) {
            checkLead();
        }
        job.close();
        world.runUntil(world.now() + keepMs * World.MS + RELEASE_NANOS);
        for (SimulatedWorker each : workers) {
            check(
                    each,
                    each.disks().stream()
                            .flatMap(disk -> disk.leftovers().stream())
                            .toList()
                            .toString(),
                    "[]");
            check(each, each.inUse(), "");
            audit(each);
        }
        world.runUntil(world.now() + World.SECOND);
    }

    long digest() {
        return world.digest();
    }

    private void audit(SimulatedWorker worker) {
        worker.catalog().audit(lines -> check(worker, lines.toString(), "[]"));
    }

    /** The last job manager leads at all workers, whatever the clocks of those before it said. */
    private void checkLead() {
        job.askAll(workers.stream().map(Scenario::candidate).toList());
        world.runUntil(world.now() + LEAD_NANOS);
        for (SimulatedWorker each : workers) {
            each.catalog().release(job.releaseOfNothing(), fault -> check(each, "" + fault, "null"));
        }
    }

    private void check(SimulatedWorker worker, String found, String expected) {
        if (!found.equals(expected)) {
            world.fail(new AssertionError(
                    "expected '" + expected + "' to be left at worker " + worker.machine() + ", found " + found));
        }
    }

    /** Every disk and machine is well again; those that were hurt begin anew. */
    private void mend() {
        for (SimulatedWorker each : workers) {
            network.join(each.machine());
            each.disks().forEach(disk -> {
                disk.failing(false);
                disk.full(false);
                disk.slow(false);
                disk.hanging(false);
            });
            each.kill();
            start(each);
        }
    }

    private void start(SimulatedWorker worker) {
        if (!worker.isUp() && !gone.contains(worker)) {
            worker.start();
            if (!worker.isUp()) {
                tally.count(Event.DID_NOT_START);
                world.after(World.SECOND, () -> start(worker));
            }
        }
    }

    private SimulatedWorker any() {
        return workers.get(world.random().nextInt(workers.size()));
    }

    private void fault() {
        SimulatedWorker worker = any();
        boolean isUsable = worker.isUp() && !worker.isStopping();
        switch (world.random().nextInt(17)) {
            case 0, 1 -> down(worker, isUsable, Event.KILLED, world.between(World.MS, 10 * World.SECOND), () -> {});
            case 2 -> down(worker, isUsable, Event.KILLED_FOR_LONG, 100 * World.SECOND, () -> {});
            case 3 -> killForGood(worker, isUsable);
            case 4 ->
                down(worker, isUsable, Event.MACHINE_DOWN, world.between(World.MS, 10 * World.SECOND), () -> {
                    troubles.lasting(worker.machine());
                    worker.disks().forEach(SimulatedDisk::tear);
                });
            case 5 ->
                down(worker, isUsable, Event.EMPTIED, world.between(World.MS, 10 * World.SECOND), () -> {
                    troubles.lasting(worker.machine());
                    worker.empty();
                });
            case 6, 7 -> drain(worker, isUsable);
            case 8 -> {
                tally.count(Event.CUT);
                network.cutConnections(world.oneIn(2) ? worker.machine() : job.anyMachine());
            }
            case 9 -> part(worker.machine(), Event.PARTED, world.between(World.MS, 20 * World.SECOND));
            case 10 -> part(worker.machine(), Event.PARTED_FOR_LONG, 100 * World.SECOND);
            case 11 -> part(job.anyMachine(), Event.CLIENT_PARTED, world.between(World.MS, 20 * World.SECOND));
            case 12 -> disk(worker);
            case 13 -> flip(worker);
            case 14 -> {
                tally.count(Event.TASK_MANAGER_KILLED);
                job.killTaskManager();
            }
            case 15 -> {
                tally.count(Event.MUTED);
                int machine = world.oneIn(2) ? worker.machine() : job.anyMachine();
                troubles.passing(machine, MUTE_NANOS);
                mayLeave = true;
                network.mute(machine);
            }
            default -> {
                boolean isKilled = world.oneIn(2);
                tally.count(isKilled ? Event.JOB_MANAGER_KILLED : Event.TWO_JOB_MANAGERS);
                mayLeave = true;
                job.changeJobManager(isKilled);
            }
        }
    }

    private void down(SimulatedWorker worker, boolean isUsable, Event event, long nanos, Runnable meanwhile) {
        if (isUsable) {
            tally.count(event);
            troubles.passing(worker.machine(), nanos + World.SECOND);
            worker.kill();
            meanwhile.run();
            world.after(nanos, () -> start(worker));
        }
    }

    private void killForGood(SimulatedWorker worker, boolean isUsable) {
        // The first one is a registry, without which nothing new begins.
        if (isUsable && worker.machine() > 1 && workers.size() > 1) {
            tally.count(Event.KILLED_FOR_GOOD);
            troubles.lasting(worker.machine());
            worker.kill();
            gone.add(worker);
            workers.remove(worker);
        }
    }

    private void drain(SimulatedWorker worker, boolean isUsable) {
        if (isUsable) {
            tally.count(Event.DRAINED);
            long nanos = world.between(World.MS, 5 * World.SECOND);
            troubles.passing(worker.machine(), nanos + 6 * World.SECOND);
            worker.drainAndStop(() -> world.after(nanos, () -> start(worker)));
        }
    }

    private void part(int machine, Event event, long nanos) {
        tally.count(event);
        troubles.passing(machine, nanos + World.SECOND);
        mayLeave |= nanos > keepMs * World.MS / 2;
        network.part(machine);
        world.after(nanos, () -> network.join(machine));
    }

    private void disk(SimulatedWorker worker) {
        SimulatedDisk disk =
                worker.disks().get(world.random().nextInt(worker.disks().size()));
        long nanos = world.between(World.MS, 15 * World.SECOND);
        switch (world.random().nextInt(4)) {
            case 0 -> {
                tally.count(Event.DISK_FULL);
                troubles.passing(worker.machine(), nanos + World.SECOND);
                disk.full(true);
                world.after(nanos, () -> disk.full(false));
            }
            case 1 -> outage(worker, Event.DISK_FAILED, nanos, disk::failing);
            case 2 -> outage(worker, Event.DISK_HUNG, 10 * nanos, disk::hanging);
            default -> {
                tally.count(Event.DISK_SLOW);
                troubles.passing(worker.machine(), 10 * nanos + World.SECOND);
                disk.slow(true);
                world.after(nanos, () -> disk.slow(false));
            }
        }
    }

    private void outage(SimulatedWorker worker, Event event, long nanos, Consumer<Boolean> disk) {
        tally.count(event);
        troubles.lasting(worker.machine());
        troubles.passing(worker.machine(), Math.max(FAULTS_NANOS, nanos + World.SECOND));
        mayLeave = true;
        disk.accept(true);
        world.after(nanos, () -> {
            // A directory that failed takes nothing new for minutes, or until its worker is started again.
            disk.accept(false);
            if (worker.isWithoutADirectory()) {
                troubles.lasting(worker.machine());
            }
            worker.kill();
            start(worker);
        });
    }

    private void flip(SimulatedWorker worker) {
        SimulatedDisk disk =
                worker.disks().get(world.random().nextInt(worker.disks().size()));
        if (disk.flip()) {
            tally.count(Event.BIT_FLIPPED);
            troubles.lasting(worker.machine());
        }
    }
}
