package io.drey.flink.state.simulation;

import io.drey.checkpoint.manifest.ManifestCodec;
import io.drey.checkpoint.manifest.ManifestFile;
import io.drey.flink.state.simulation.Tally.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.checkpoint.CompletedCheckpoint;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.util.ExceptionUtils;

/** Restores of a job's checkpoints that the job does not see. */
final class SideRestores {
    private final World world;
    private final SimulatedJob job;

    SideRestores(World world, SimulatedJob job) {
        this.world = world;
        this.job = job;
    }

    static KeyGroupRange range(int parallelism, int index) {
        return StateAssignmentOperation.createKeyGroupPartitions(SimulatedMachine.KEY_GROUPS, parallelism)
                .get(index);
    }

    /** What a subtask with these key groups is given. */
    static List<KeyedStateHandle> handles(CompletedCheckpoint from, KeyGroupRange range) {
        if (from == null) {
            return List.of();
        }
        OperatorState state = from.getOperatorStates().get(SimulatedJobManager.OPERATOR);
        return StateAssignmentOperation.getManagedKeyedStateHandles(state, range).stream()
                .map(SimulatedJobManager::copy)
                .toList();
    }

    /** The local names of what is in the storage, by its paths. */
    static Map<String, Set<String>> localNames(CompletedCheckpoint from, KeyGroupRange range) {
        Map<String, Set<String>> files = new TreeMap<>();
        for (KeyedStateHandle handle : handles(from, range)) {
            IncrementalRemoteKeyedStateHandle all = (IncrementalRemoteKeyedStateHandle) handle;
            // A full checkpoint shares nothing.
            Stream.concat(all.getSharedState().stream(), all.getPrivateState().stream())
                    .forEach(file -> file.getHandle()
                            .maybeGetPath()
                            .ifPresent(
                                    path -> files.computeIfAbsent(path.toUri().getPath(), absent -> new TreeSet<>())
                                            .add(file.getLocalPath())));
        }
        return files;
    }

    /** Restores a checkpoint, with any parallelism, and compares it with the model at its barrier. */
    void check(CompletedCheckpoint checkpoint) throws Exception {
        restore(checkpoint, job.manager.model(checkpoint.getCheckpointID()));
    }

    /** Restores savepoints that have completed, and deletes them. */
    void checkSavepoints() throws Exception {
        world.spareStorage();
        for (SimulatedJobManager.Savepoint savepoint : world.savepoints) {
            restore(savepoint.completed(), savepoint.model());
            world.storage.deleteAll(savepoint.directory());
        }
        world.savepoints.clear();
        world.resumeStorageFaults();
    }

    /** @param expected what the state should be; null for anything */
    private void restore(CompletedCheckpoint checkpoint, StateModel expected) throws Exception {
        SplittableRandom own = world.random.split();
        int parallelism = 1 + own.nextInt(World.PARALLELISM_MAX);
        for (int i = 0; i < parallelism; i++) {
            KeyGroupRange range = range(parallelism, i);
            SimulatedMachine machine = new SimulatedMachine(own.split(), world, null);
            AbstractKeyedStateBackend<String> backend;
            try {
                backend = machine.open(job.manager.job, range, handles(checkpoint, range));
            } catch (Exception e) {
                machine.checkEmpty();
                throw e;
            }
            try {
                StateModel model = expected == null ? new StateModel() : expected;
                SimulatedTask task = new SimulatedTask(
                        i, machine, new SimulatedStorage.Process(), world, backend, model, new TreeMap<>(), Map.of());
                if (expected == null || own.nextBoolean()) {
                    machine.tasks().run(Integer.MAX_VALUE);
                }
                if (expected != null) {
                    task.checkAll(world.keys);
                }
                task.end();
            } catch (Exception e) {
                // As Flink does with the backend of a task that fails, also while it opens.
                backend.dispose();
                machine.checkEmpty();
                throw e;
            }
            machine.checkEmpty();
            if (machine.failure() != null) {
                throw new IOException("the restore failed later", machine.failure());
            }
        }
    }

    /** Files of a checkpoint that share an object. */
    private static List<ManifestFile> packed(CompletedCheckpoint checkpoint, String path) throws IOException {
        List<ManifestFile> packed = new ArrayList<>();
        for (KeyedStateHandle handle : handles(checkpoint, range(1, 0))) {
            IncrementalRemoteKeyedStateHandle files = (IncrementalRemoteKeyedStateHandle) handle;
            byte[] bytes;
            try (FSDataInputStream in = files.getMetaDataStateHandle().openInputStream()) {
                bytes = in.readAllBytes();
            }
            Map<String, String> paths = new TreeMap<>();
            files.getSharedState()
                    .forEach(file -> paths.put(
                            file.getLocalPath(),
                            file.getHandle()
                                    .maybeGetPath()
                                    .map(each -> each.toUri().getPath())
                                    .orElse("")));
            ManifestCodec.decode("manifest", bytes).files().stream()
                    .filter(file -> file.isPacked() && file.bytes() > 0 && path.equals(paths.get(file.name())))
                    .forEach(packed::add);
        }
        return packed;
    }

    /** Whatever happens to any file of a checkpoint is found by the restore, which names the file; then it is undone. */
    void damage(CompletedCheckpoint checkpoint) throws Exception {
        Set<String> single = SimulatedJobManager.paths(checkpoint);
        Map<String, Set<String>> names = localNames(checkpoint, range(1, 0));
        // Of a file that several subtasks uploaded, a restore may take any.
        single.removeAll(SimulatedJobManager.pathsOfCopies(checkpoint));
        List<String> paths = world.storage.byAge(single);
        if (paths.isEmpty() || world.random.nextInt(4) != 0) {
            return;
        }
        world.spareStorage();
        String path = world.any(paths);
        Set<String> inPath = names.getOrDefault(path, Set.of(path));
        int kind = world.random.nextInt(4);
        world.tally.count(
                kind == 0 ? Event.STORAGE_FILE_LOST : kind == 1 ? Event.STORAGE_FILE_CUT : Event.STORAGE_BIT_FLIPPED);
        long draw = world.random.nextLong();
        List<ManifestFile> packed = packed(checkpoint, path);
        if (!packed.isEmpty()) {
            // Damage to what is in a pack and of no use is not found.
            ManifestFile file = packed.get((int) Long.remainderUnsigned(draw, packed.size()));
            long at = Long.remainderUnsigned(draw, (kind == 1 ? 1 : Byte.SIZE) * file.bytes());
            draw = at + (kind == 1 ? 1 : Byte.SIZE) * file.offset();
            world.tally.count(Event.PACK_DAMAGED, kind == 0 ? 0 : 1);
        }
        Runnable undo = kind == 0
                ? world.storage.lose(path)
                : kind == 1 ? world.storage.cut(path, draw) : world.storage.flip(path, draw);
        try {
            restore(checkpoint, null);
            throw new AssertionError("expected the damage to " + path + " to be found");
        } catch (Exception e) {
            String text = ExceptionUtils.stringifyException(e);
            // What is found in a file that comes by and by has its local name.
            if (!text.contains(path.substring(path.lastIndexOf('/') + 1))
                    && inPath.stream().noneMatch(text::contains)) {
                throw e;
            }
        }
        undo.run();
        world.resumeStorageFaults();
    }
}
