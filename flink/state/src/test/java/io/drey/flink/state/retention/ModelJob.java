package io.drey.flink.state.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.checkpoint.retention.SharedName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.flink.core.execution.RecoveryClaimMode;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.SharedStateRegistry;
import org.apache.flink.runtime.state.SharedStateRegistryImpl;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.filesystem.RelativeFileStateHandle;

/**
 * A job without data: subtasks whose local files come and go, and a job manager around Flink's own registry, on real
 * files with a clock of its own. Processes die between any two steps, and deletions of the job manager get lost.
 */
final class ModelJob {
    private static final OperatorID OPERATOR = new OperatorID(7, 7);
    private static final int MAX_PARALLELISM = 128;
    private static final int RETAINED_MAX = 3;

    /** One that has completed and was not dropped yet. */
    record Completed(long id, List<IncrementalRemoteKeyedStateHandle> handles, Path directory) {
        Set<String> listed() {
            Set<String> paths = new HashSet<>();
            for (IncrementalRemoteKeyedStateHandle handle : handles) {
                for (HandleAndLocalPath file : handle.getSharedState()) {
                    paths.add(((FileStateHandle) file.getHandle()).getFilePath().getPath());
                }
            }
            return paths;
        }
    }

    /** A checkpoint between its barrier and its end. */
    static final class Pending {
        final long id;
        final List<ModelSubtask.Part> parts = new ArrayList<>();

        Pending(long id) {
            this.id = id;
        }
    }

    /** The storage's, for all jobs of a history; it may stand still while files are written. */
    static final class Clock {
        private final SplittableRandom random;
        private long now = 4_000_000_000_000L;

        /** One that moves with each file. */
        Clock() {
            this(null);
        }

        Clock(SplittableRandom random) {
            this.random = random;
        }

        void stamp(Path file) throws IOException {
            move(random == null ? 1 : random.nextInt(2));
            Files.setLastModifiedTime(file, java.nio.file.attribute.FileTime.fromMillis(now));
        }

        long now() {
            return now;
        }

        void move(int ms) {
            now += ms;
        }
    }

    final Path directory;
    final TreeMap<Long, Completed> retained = new TreeMap<>();
    final TreeMap<Long, Pending> pending = new TreeMap<>();
    final List<ModelSubtask> subtasks = new ArrayList<>();
    private final SplittableRandom random;
    private final Clock clock;
    private SharedStateRegistry registry;
    private long lastId;
    private boolean unclaimed;

    /** Whether something may happen between the deletion of what a checkpoint listed and that of its meta data. */
    boolean dropsLater;

    /** Those that are being dropped; if the job manager dies, it forgets them. */
    private final List<Completed> dropping = new ArrayList<>();

    /** What tasks are restored from as long as nothing of this execution is retained. */
    private Completed base;

    /** Whatever has completed here. */
    final List<Completed> all = new ArrayList<>();

    /** Numbers of this execution that completed: what its tasks have been told. */
    long lastCompleted = -1;

    long highestId;

    ModelJob(Path base, SplittableRandom random, Clock clock) throws IOException {
        this(base, UUID.randomUUID().toString().replace("-", ""), random, clock);
    }

    /** @param id of the job, which names its directory */
    ModelJob(Path base, String id, SplittableRandom random, Clock clock) throws IOException {
        this.directory = base.resolve(id);
        this.random = random;
        this.clock = clock;
        Files.createDirectories(directory.resolve("shared"));
        Files.createDirectories(directory.resolve("taskowned"));
    }

    /** A fresh start. */
    void begin() {
        restore(null, List.of(), RecoveryClaimMode.CLAIM, 1 + random.nextInt(3));
    }

    /**
     * A new execution, after all processes of the one before have died.
     *
     * @param from what tasks are restored from, or null
     * @param known what the job manager finds and owns
     */
    void restore(Completed from, Collection<Completed> known, RecoveryClaimMode mode, int parallelism) {
        pending.clear();
        retained.clear();
        dropping.clear();
        base = from;
        registry = new SharedStateRegistryImpl(this::deleteMaybe);
        for (Completed each : known) {
            retained.put(each.id(), each);
            each.handles().forEach(handle -> handle.registerSharedStates(registry, each.id()));
        }
        lastCompleted = -1;
        unclaimed = from != null && mode == RecoveryClaimMode.NO_CLAIM;
        start(from, parallelism);
    }

    private void start(Completed from, int parallelism) {
        subtasks.clear();
        for (int i = 0; i < parallelism; i++) {
            subtasks.add(new ModelSubtask(random, handlesFor(from, i, parallelism)));
        }
    }

    private Completed latest() {
        return retained.isEmpty() ? base : retained.lastEntry().getValue();
    }

    /** All tasks die, and the job manager does not. */
    void tasksDie(int parallelism) throws IOException {
        subtasks.clear();
        for (Pending checkpoint : List.copyOf(pending.values())) {
            pending.remove(checkpoint.id);
            deleteDirectory(checkpoint.id);
        }
        lastCompleted = -1;
        start(latest(), parallelism);
    }

    /** The job manager is gone too, or the job is submitted anew: checkpoints are counted from there. */
    void countFrom(long id) {
        lastId = id;
    }

    private static List<IncrementalRemoteKeyedStateHandle> handlesFor(Completed from, int index, int parallelism) {
        List<IncrementalRemoteKeyedStateHandle> handles = new ArrayList<>();
        if (from != null) {
            int parents = from.handles().size();
            for (int parent = 0; parent < parents; parent++) {
                if (parent * parallelism < (index + 1) * parents && index * parents < (parent + 1) * parallelism) {
                    handles.add(from.handles().get(parent));
                }
            }
        }
        return handles;
    }

    /** Some tasks die and come back alone. */
    void failOver(int index) throws IOException {
        for (Long id : List.copyOf(pending.keySet())) {
            abort(id);
        }
        Completed from = latest();
        if (from == null || from.handles().size() == subtasks.size()) {
            subtasks.set(index, new ModelSubtask(random, handlesFor(from, index, subtasks.size())));
        }
    }

    FsCheckpointStreamFactory streams(long id) {
        return new FsCheckpointStreamFactory(
                FileSystem.getLocalFileSystem(),
                new org.apache.flink.core.fs.Path(directory.resolve("chk-" + id).toString()),
                new org.apache.flink.core.fs.Path(directory.resolve("shared").toString()),
                0,
                4096);
    }

    void trigger() throws IOException {
        long id = ++lastId;
        highestId = Math.max(highestId, id);
        Files.createDirectories(directory.resolve("chk-" + id));
        Pending checkpoint = new Pending(id);
        boolean full = unclaimed && retained.isEmpty();
        for (ModelSubtask subtask : subtasks) {
            checkpoint.parts.add(subtask.enter(id, full, streams(id), this));
        }
        pending.put(id, checkpoint);
    }

    Path write(String place, String name) throws IOException {
        Path file = directory.resolve(place).resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, name);
        clock.stamp(file);
        return file;
    }

    static FileStateHandle handle(Path file) {
        return new FileStateHandle(
                new org.apache.flink.core.fs.Path(file.toUri()),
                file.getFileName().toString().length());
    }

    /** Of a checkpoint's own directory: who reads it looks where the meta data is. */
    static FileStateHandle own(Path file) {
        FileStateHandle handle = handle(file);
        return new RelativeFileStateHandle(
                handle.getFilePath(), file.getFileName().toString(), handle.getStateSize());
    }

    /** One step of one part of a checkpoint; the job manager hears of it when all parts are done. */
    void advance(long id) throws IOException {
        if (!dropping.isEmpty() && random.nextInt(16) == 0) {
            finishDrops();
        }
        Pending checkpoint = pending.get(id);
        List<ModelSubtask.Part> open =
                checkpoint.parts.stream().filter(part -> !part.isDone()).toList();
        if (!open.isEmpty()) {
            ModelSubtask.Part part = open.get(random.nextInt(open.size()));
            part.step();
            if (part.isDone()) {
                part.handle().registerSharedStates(registry, id);
            }
        } else {
            complete(checkpoint);
        }
    }

    private void complete(Pending checkpoint) throws IOException {
        Path place = directory.resolve("chk-" + checkpoint.id);
        if (Files.exists(place.resolve("_metadata"))) {
            // What Flink does when a job has gone back and comes to a number that is taken.
            abort(checkpoint.id);
            return;
        }
        List<IncrementalRemoteKeyedStateHandle> handles =
                checkpoint.parts.stream().map(ModelSubtask.Part::handle).toList();
        Completed completed = new Completed(checkpoint.id, handles, place);
        Files.write(write(place.getFileName().toString(), "_metadata"), metadata(completed));
        clock.stamp(place.resolve("_metadata"));
        pending.remove(checkpoint.id);
        for (Long older : List.copyOf(pending.headMap(checkpoint.id).keySet())) {
            abort(older);
        }
        registry.checkpointCompleted(checkpoint.id);
        retained.put(checkpoint.id, completed);
        all.removeIf(each -> each.directory().equals(place));
        all.add(completed);
        assertThat(completed.listed())
                .allSatisfy(file -> assertThat(Path.of(file)).exists());
        while (retained.size() > RETAINED_MAX || (retained.size() > 1 && random.nextInt(4) == 0)) {
            Completed oldest = retained.pollFirstEntry().getValue();
            registry.unregisterUnusedState(retained.firstKey());
            if (dropsLater && random.nextBoolean()) {
                dropping.add(oldest);
            } else {
                drop(oldest);
            }
        }
        lastCompleted = checkpoint.id;
        for (ModelSubtask subtask : subtasks) {
            if (random.nextInt(5) != 0) {
                subtask.ledger.confirm(checkpoint.id);
            }
        }
    }

    private static byte[] metadata(Completed completed) throws IOException {
        OperatorState operator = new OperatorState(
                "operator", "uid", OPERATOR, completed.handles().size(), MAX_PARALLELISM);
        for (int i = 0; i < completed.handles().size(); i++) {
            operator.putState(
                    i,
                    OperatorSubtaskState.builder()
                            .setManagedKeyedState(completed.handles().get(i))
                            .build());
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Checkpoints.storeCheckpointMetadata(
                new CheckpointMetadata(completed.id(), List.of(operator), List.of()), bytes);
        return bytes.toByteArray();
    }

    boolean isDropping() {
        return !dropping.isEmpty();
    }

    void finishDrops() throws IOException {
        for (Completed each : dropping) {
            drop(each);
        }
        dropping.clear();
    }

    /** Its own files, its meta data, then its directory if that is empty, unless the process dies meanwhile. */
    private void drop(Completed completed) throws IOException {
        for (IncrementalRemoteKeyedStateHandle handle : completed.handles()) {
            if (random.nextInt(20) != 0) {
                Path meta = Path.of(((FileStateHandle) handle.getMetaDataStateHandle())
                        .getFilePath()
                        .getPath());
                Files.deleteIfExists(meta);
            }
        }
        Files.deleteIfExists(completed.directory().resolve("_metadata"));
        deleteIfEmpty(completed.directory());
    }

    private static void deleteIfEmpty(Path directory) throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (java.nio.file.DirectoryNotEmptyException e) {
            // As Flink: it stays with what is in it.
            return;
        }
    }

    void abort(long id) throws IOException {
        Pending checkpoint = pending.remove(id);
        for (ModelSubtask.Part part : checkpoint.parts) {
            part.cancel();
        }
        deleteDirectory(id);
        for (ModelSubtask subtask : subtasks) {
            if (random.nextInt(5) != 0) {
                subtask.ledger.abort(id);
            }
        }
    }

    private void deleteDirectory(long id) throws IOException {
        Path place = directory.resolve("chk-" + id);
        if (random.nextInt(10) != 0 && !Files.exists(place.resolve("_metadata"))) {
            delete(place);
        }
    }

    /** Checkpoints that are kept here, whoever owns them. */
    List<Completed> kept() {
        return all.stream()
                .filter(each -> Files.exists(each.directory().resolve("_metadata")))
                .toList();
    }

    static void delete(Path directory) throws IOException {
        org.apache.flink.util.FileUtils.deleteDirectory(directory.toFile());
    }

    private void deleteMaybe(Runnable deletion) {
        if (random.nextInt(10) != 0) {
            deletion.run();
        }
    }

    /** Files that a checkpoint under way may still list in the end. */
    Set<String> wanted() {
        Set<String> paths = new HashSet<>();
        pending.values().forEach(checkpoint -> checkpoint.parts.forEach(part -> paths.addAll(part.stored())));
        return paths;
    }

    Set<String> namedFiles() {
        try (var files = Files.list(directory.resolve("shared"))) {
            Set<String> found = new HashSet<>();
            files.filter(file -> SharedName.parse(file.getFileName().toString()) != null)
                    .forEach(file -> found.add(file.toString()));
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static IncrementalRemoteKeyedStateHandle handleOf(
            UUID backend, long id, List<HandleAndLocalPath> files, FileStateHandle meta) {
        return new IncrementalRemoteKeyedStateHandle(
                backend, new KeyGroupRange(0, MAX_PARALLELISM - 1), id, files, List.of(), meta);
    }
}
