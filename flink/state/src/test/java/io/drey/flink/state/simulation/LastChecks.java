package io.drey.flink.state.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** The end of a history: checkpoints complete in peace, each is restored, and nothing else is left anywhere. */
final class LastChecks {
    /** Enough for compactions that follow from others; reads may ask for more without end. */
    private static final int IDLE_ROUNDS = 3;

    private final World world;
    private final SimulatedJob job;
    private final Recoveries recoveries;
    private final SideRestores sideRestores;

    LastChecks(World world, SimulatedJob job, Recoveries recoveries, SideRestores sideRestores) {
        this.world = world;
        this.job = job;
        this.recoveries = recoveries;
        this.sideRestores = sideRestores;
    }

    /** Everything under way ends well; then checkpoints complete until nothing of before is retained. */
    void quiet() throws Exception {
        world.endFaults();
        world.doubts.heal();
        world.distantFaults.heal();
        job.manager.liveOn();
        if (job.tasks.stream().anyMatch(task -> task.machine.hasFaults() || !task.flipped.isEmpty()) || hasFailed()) {
            recoveries.restart(false);
        }
        for (int i = 0; i < job.manager.retained; i++) {
            job.settle();
            idle();
            complete();
        }
        deleteUnknownCheckpoints();
        world.clock.moveMs(Simulation.MS_PER_HOUR);
        complete();
        checkSharedFiles();
        checkLocalFiles();
        for (SimulatedTask task : job.tasks) {
            task.checkAll(world.keys);
        }
        for (CompletedCheckpoint checkpoint : job.manager.completed()) {
            sideRestores.check(checkpoint);
        }
        sideRestores.checkSavepoints();
        checkRemoteFiles();
    }

    /** Whether a background job of a task has failed, of what nobody has heard yet. */
    private boolean hasFailed() throws Exception {
        for (SimulatedTask task : job.tasks) {
            if (!job.check(task, false)) {
                return true;
            }
        }
        return false;
    }

    private void complete() throws Exception {
        long id = job.triggerOne();
        job.settle();
        if (job.manager.latest() == null || job.manager.latest().getCheckpointID() != id) {
            throw new AssertionError("expected checkpoint " + id + " to complete when nothing is in its way");
        }
    }

    /** Checkpoints that the job manager does not know, or that are not whole, are nobody's but the user's to delete. */
    private void deleteUnknownCheckpoints() {
        Set<String> known = new TreeSet<>(job.manager.metadataPaths());
        String place = job.manager.directory.toUri().getPath() + "/";
        for (String path : world.storage.paths()) {
            if (path.startsWith(place)
                    && path.endsWith("/" + AbstractFsCheckpointStorageAccess.METADATA_FILE_NAME)
                    && !known.contains(path)) {
                world.storage.deleteAll(new Path(path).getParent());
            }
        }
    }

    /** Of what checkpoints of the job share, the janitor has left what they list. */
    private void checkSharedFiles() {
        String shared = job.manager.shared.toUri().getPath() + "/";
        Set<String> listed = new TreeSet<>(job.manager.listed());
        listed.removeIf(path -> !path.startsWith(shared));
        Set<String> found = world.storage.paths();
        found.removeIf(path -> !path.startsWith(shared));
        if (!found.equals(listed)) {
            found.removeAll(listed);
            throw new AssertionError("expected the janitor to leave what checkpoints list, found also " + found);
        }
    }

    /** Lets background jobs make all of the stores that they want to. */
    private void idle() throws Exception {
        for (SimulatedTask task : job.tasks) {
            for (int i = 0; i < IDLE_ROUNDS; i++) {
                task.look(world.keys.get(0));
                while (task.machine.background().step()) {
                    // Until there is none.
                }
            }
        }
    }

    private void checkLocalFiles() throws Exception {
        CompletedCheckpoint latest = job.manager.latest();
        OperatorState state = latest.getOperatorStates().get(SimulatedJobManager.OPERATOR);
        for (SimulatedTask task : job.tasks) {
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
        Set<String> expected = new TreeSet<>(job.manager.listed());
        expected.addAll(recoveries.foreign());
        Set<String> found = world.storage.paths();
        if (!found.containsAll(expected)) {
            expected.removeAll(found);
            throw new AssertionError("expected all files of checkpoints in the storage, found none at " + expected);
        }
        found.removeAll(expected);
        world.orphans.explain(found, world.tally);
    }

    /** The job ends, and gives everything back. */
    void end() throws Exception {
        List<SimulatedMachine> used = new ArrayList<>();
        job.end(null);
        for (SimulatedTask task : job.ended) {
            task.drain();
            used.add(task.machine);
        }
        for (SimulatedMachine machine : used) {
            machine.checkEmpty();
        }
        String[] left = world.base.toFile().list((directory, name) -> name.startsWith("drey_job_"));
        if (left != null && left.length > 0) {
            throw new AssertionError("expected no local directory after the last backend, found " + List.of(left));
        }
        recoveries.deleteLocalCopies();
        world.countStorageFaults();
    }
}
