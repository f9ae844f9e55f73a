package io.drey.flink.state.retention;

import io.drey.checkpoint.retention.SharedNames;
import io.drey.checkpoint.upload.Listing;
import io.drey.checkpoint.upload.Listing.Sharing;
import io.drey.checkpoint.upload.UploadLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;

/** One life of a subtask of a {@link ModelJob}: its local files, and the real ledger, names and claims. */
final class ModelSubtask {
    final UploadLedger<StreamStateHandle> ledger;
    private final UUID backend = UUID.randomUUID();
    private final SharedNames names = new SharedNames(backend);
    private final ForeignFiles foreign;
    private final SplittableRandom random;
    private final Set<String> files = new LinkedHashSet<>();

    ModelSubtask(SplittableRandom random, List<IncrementalRemoteKeyedStateHandle> parents) {
        this.random = random;
        Map<String, StreamStateHandle> restored = new HashMap<>();
        for (IncrementalRemoteKeyedStateHandle parent : parents) {
            parent.getSharedState().forEach(file -> restored.put(file.getLocalPath(), file.getHandle()));
        }
        files.addAll(restored.keySet());
        foreign = new ForeignFiles(restored.values());
        ledger = new UploadLedger<>(restored, this::deleteMaybe, handle -> {});
        change();
    }

    private void deleteMaybe(StreamStateHandle handle) {
        if (random.nextInt(10) != 0) {
            try {
                Files.deleteIfExists(path(handle));
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }

    static Path path(StreamStateHandle handle) {
        return Path.of(((FileStateHandle) handle).getFilePath().getPath());
    }

    /** A flush, or a compaction of some files. */
    void change() {
        if (files.size() > 2 + random.nextInt(6)) {
            for (String file : List.copyOf(files)) {
                if (random.nextInt(2) == 0) {
                    files.remove(file);
                }
            }
        }
        files.add(UUID.randomUUID().toString());
    }

    /** The synchronous part. */
    Part enter(long id, boolean full, FsCheckpointStreamFactory streams, ModelJob job) {
        if (full) {
            foreign.forget();
        }
        return new Part(
                id,
                full,
                ledger.enter(id, full, new Sharing<>(true, foreign::mayList)),
                List.copyOf(files),
                streams,
                job);
    }

    /** The asynchronous part of a checkpoint, in steps. */
    final class Part {
        private final long id;
        private final boolean full;
        private final Listing<StreamStateHandle> listing;
        private final List<String> content;
        private final FsCheckpointStreamFactory streams;
        private final ModelJob job;
        private final ArrayDeque<String> wanted = new ArrayDeque<>();
        private final Map<String, StreamStateHandle> written = new HashMap<>();
        private boolean decided;
        private boolean cancelled;
        private FileStateHandle meta;
        private IncrementalRemoteKeyedStateHandle handle;

        Part(
                long id,
                boolean full,
                Listing<StreamStateHandle> listing,
                List<String> content,
                FsCheckpointStreamFactory streams,
                ModelJob job) {
            this.id = id;
            this.full = full;
            this.listing = listing;
            this.content = content;
            this.streams = streams;
            this.job = job;
        }

        boolean isDone() {
            return handle != null;
        }

        IncrementalRemoteKeyedStateHandle handle() {
            return handle;
        }

        void step() throws IOException {
            if (!decided) {
                if (!full) {
                    foreign.claim(streams);
                }
                listing.decide(content);
                wanted.addAll(listing.claim());
                decided = true;
            } else if (!wanted.isEmpty()) {
                write();
            } else if (meta == null) {
                meta = ModelJob.own(job.write("chk-" + id, UUID.randomUUID().toString()));
            } else {
                List<HandleAndLocalPath> listed = new ArrayList<>();
                listing.references().forEach((file, reference) -> {
                    StreamStateHandle stored = reference.handle();
                    StreamStateHandle placeholder = new PlaceholderStreamStateHandle(
                            stored.getStreamStateHandleID(), stored.getStateSize(), false);
                    listed.add(HandleAndLocalPath.of(reference.confirmed() ? placeholder : stored, file));
                });
                handle = ModelJob.handleOf(backend, id, listed, meta);
            }
        }

        /** What the job manager has heard of is its own; the rest is taken back, also while it is being written. */
        void cancel() throws IOException {
            if (handle != null || cancelled) {
                return;
            }
            cancelled = true;
            boolean writing = decided && !wanted.isEmpty();
            boolean first = random.nextBoolean();
            if (first) {
                listing.withdraw();
            }
            if (writing && random.nextBoolean()) {
                while (!wanted.isEmpty()) {
                    write();
                }
            } else if (writing) {
                Set<String> claimed = new LinkedHashSet<>(wanted);
                claimed.addAll(written.keySet());
                listing.failed(claimed);
                written.values().forEach(ModelSubtask.this::deleteMaybe);
            }
            listing.withdraw();
        }

        private void write() throws IOException {
            written.put(wanted.peek(), ModelJob.handle(job.write("shared", names.next(listing.first()))));
            wanted.remove();
            if (wanted.isEmpty()) {
                listing.stored(written);
            }
        }

        /** Paths of what it has written, and, when all is there, of what it lists. */
        Set<String> stored() {
            Set<String> paths = new LinkedHashSet<>();
            written.values().forEach(file -> paths.add(path(file).toString()));
            if (decided && wanted.isEmpty()) {
                listing.references()
                        .values()
                        .forEach(reference -> paths.add(path(reference.handle()).toString()));
            }
            return paths;
        }
    }
}
