package io.drey.flink.state.restore;

import io.drey.checkpoint.upload.OpenStreams;
import io.drey.checkpoint.upload.Transfers;
import io.drey.checkpoint.upload.Transfers.Transfer;
import io.drey.files.FileChecksum;
import io.drey.files.ReadableFile;
import io.drey.files.WritableFile;
import io.drey.files.local.LocalDirectory;
import io.drey.files.remote.Downloads;
import io.drey.flink.state.task.InstanceDirectory;
import io.drey.flink.state.task.LocalTrust;
import io.drey.flink.state.task.StorageFaults;
import io.drey.store.StoreImage.FileInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the files of parents into a backend's directory, several at a time: downloads, or hard links to the local copy
 * of a checkpoint. Length and bytes of each are compared with what the checkpoint was taken of, before anybody uses it:
 * a local copy that is damaged is refused, and Flink turns to the remote one. Of a {@linkplain LocalTrust trusted} copy
 * only lengths are, so that a restart takes no longer with more state.
 *
 * <p>If the restore does not wait, of each remote file only that comes which a store reads when it opens; the rest is
 * left to {@link Downloads}, which compares its bytes when all have come.
 */
final class FileFetches {
    private static final Logger LOG = LoggerFactory.getLogger(FileFetches.class);
    private static final int BUFFER_BYTES_MAX = 128 << 10;

    private final InstanceDirectory target;
    private final Executor executor;
    private final int parallelMax;
    private final LocalTrust trust;

    /** Null if all files come at once. */
    private final Downloads downloads;

    FileFetches(InstanceDirectory target, Downloads downloads, LocalTrust trust, Executor executor, int parallelMax) {
        this.target = target;
        this.downloads = downloads;
        this.trust = trust;
        this.executor = executor;
        this.parallelMax = parallelMax;
    }

    /**
     * Fetches all files of all parents, or what a store opens of them, one that several of them refer to once: if one of
     * these is a local copy, from there. What only a local copy lists is not known by a handle that can be read.
     *
     * @param listed where the next checkpoint says that files are, by name: what comes later comes from there, as another
     *     parent's upload of the same file is deleted then
     */
    void fetch(List<ParentCheckpoint> parents, Map<String, StreamStateHandle> listed, CloseableRegistry cancellation)
            throws IOException, InterruptedException {
        Map<String, FileInfo> seen = new HashMap<>();
        List<Transfer<Long>> fetches = new ArrayList<>();
        boolean isAllLater = downloads != null;
        List<ParentCheckpoint> localFirst = parents.stream()
                .sorted(Comparator.comparing(parent -> parent.localDirectory() == null))
                .toList();
        for (ParentCheckpoint parent : localFirst) {
            Map<String, Long> checksums = parent.checksums();
            boolean later = downloads != null && isByRange(parent);
            isAllLater &= later;
            for (FileInfo file : parent.image().files()) {
                FileInfo known = seen.putIfAbsent(file.name(), file);
                if (known == null) {
                    long checksum = checksums.getOrDefault(file.name(), FileChecksum.NONE);
                    StreamStateHandle remote =
                            listed.getOrDefault(file.name(), parent.handles().get(file.name()));
                    fetches.add(
                            later && isRemote(parent, file)
                                    ? open -> fetchLater(parent, file, remote, checksum)
                                    : open -> fetch(parent, file, checksum, open));
                } else if (known.bytes() != file.bytes()) {
                    throw new IOException("expected file " + file.name() + " to be the same in all checkpoints, found "
                            + known.bytes() + " and " + file.bytes()
                            + " bytes: these are checkpoints of different jobs");
                }
            }
        }
        int parallel = isAllLater ? Math.max(parallelMax, downloads.limits().smallPiecesMax()) : parallelMax;
        Transfers<Long> transfers = new Transfers<>(fetches, parallel, executor);
        cancellation.registerCloseable(transfers);
        try {
            transfers.run();
        } finally {
            cancellation.unregisterCloseable(transfers);
        }
    }

    private static boolean isRemote(ParentCheckpoint parent, FileInfo file) {
        StreamStateHandle handle = parent.handles().get(file.name());
        return handle != null && handle.asBytesIfInMemory().isEmpty();
    }

    /**
     * Whether files of a parent can be read by range: what holds for one holds for all of a storage. One that does not
     * answer is left to those who say so.
     */
    private static boolean isByRange(ParentCheckpoint parent) {
        if (parent.localDirectory() != null) {
            return false;
        }
        FileInfo remote = parent.image().files().stream()
                .filter(file -> isRemote(parent, file))
                .findFirst()
                .orElse(null);
        try {
            return remote != null && new RemoteHandle(remote, parent.handles().get(remote.name())).isSeekable();
        } catch (IOException e) {
            LOG.debug(
                    "A file of checkpoint {} cannot be read by range",
                    parent.manifest().checkpointId(),
                    e);
            return false;
        }
    }

    /** Fetches what a store reads when it opens. */
    private Long fetchLater(ParentCheckpoint parent, FileInfo file, StreamStateHandle remote, long checksum)
            throws IOException {
        target.files().add(downloads, new RemoteHandle(file, remote), checksum);
        target.files().fetchBegin(file.name(), !parent.image().logs().contains(file));
        return file.bytes();
    }

    private Long fetch(ParentCheckpoint parent, FileInfo file, long checksum, OpenStreams open) throws IOException {
        StreamStateHandle handle = parent.handles().get(file.name());
        String source;
        long bytes;
        if (parent.localDirectory() != null) {
            Path path = parent.localDirectory().resolve(file.name());
            source = path.toString();
            boolean trusted = trust.covers(parent.localDirectory());
            bytes = reading(file, source, () -> link(path, file, checksum, trusted, open));
        } else {
            source = handle == null
                    ? "checkpoint " + parent.manifest().checkpointId()
                    : ParentCheckpoint.describe(handle);
            bytes = download(handle, file, source, open);
        }
        if (bytes != file.bytes()) {
            throw new IOException("expected file " + file.name() + " of " + source + " to have " + file.bytes()
                    + " bytes, found " + bytes + ": it is damaged, restore from another checkpoint");
        }
        long found = target.files().checksum(file.name());
        if (checksum != FileChecksum.NONE && checksum != found) {
            throw new IOException("expected file " + file.name() + " of " + source + " to have the checksum "
                    + Long.toHexString(checksum) + ", found " + Long.toHexString(found)
                    + ": it is damaged, restore from another checkpoint");
        }
        return bytes;
    }

    /** Room for the whole of a small file, and for what it should not have. */
    private static int bufferBytes(FileInfo file) {
        return (int) Math.min(BUFFER_BYTES_MAX, file.bytes() + 1);
    }

    /** @param trusted whether to believe that it holds what the checkpoint was taken of */
    private long link(Path source, FileInfo file, long checksum, boolean trusted, OpenStreams open) throws IOException {
        if (!isLinked(source, file)) {
            Files.copy(source, target.path(file.name()));
        }
        if (trusted && checksum != FileChecksum.NONE) {
            target.files().written(file.name(), checksum);
            return Files.size(target.path(file.name()));
        }
        return note(file, open);
    }

    /** In the local directory that is on the same file system, if there is one. */
    private boolean isLinked(Path source, FileInfo file) throws IOException {
        for (LocalDirectory part : target.parts()) {
            if (LocalDirectory.link(source, part.path(file.name()))) {
                return true;
            }
        }
        return false;
    }

    /** Reads a file that came past the directory, which learns its checksum so; returns its length. */
    private long note(FileInfo file, OpenStreams open) throws IOException {
        ReadableFile in = open.register(target.files().open(file.name()));
        try {
            FileChecksum checksum = new FileChecksum();
            ByteBuffer buffer = ByteBuffer.allocate(bufferBytes(file));
            for (long at = 0; at < in.size(); at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), in.size() - at));
                in.read(at, buffer);
                checksum.add(buffer.flip());
            }
            target.files().written(file.name(), checksum.value());
            return in.size();
        } finally {
            open.unregister(in);
            in.close();
        }
    }

    private long download(StreamStateHandle handle, FileInfo file, String source, OpenStreams open) throws IOException {
        try (WritableFile out = target.files().create(file.name())) {
            FSDataInputStream in = reading(file, source, () -> open.register(open(handle, file)));
            try {
                byte[] buffer = new byte[bufferBytes(file)];
                int count;
                // A full buffer at a time: streams give as little as they like, and each write may be an I/O.
                while ((count = reading(file, source, () -> in.readNBytes(buffer, 0, buffer.length))) > 0) {
                    out.write(ByteBuffer.wrap(buffer, 0, count));
                }
                return out.position();
            } finally {
                open.unregister(in);
                in.close();
            }
        }
    }

    private static FSDataInputStream open(StreamStateHandle handle, FileInfo file) throws IOException {
        if (handle == null) {
            throw new NoSuchFileException(file.name(), null, "no such file among those of the checkpoint");
        }
        return handle.openInputStream();
    }

    /** A read of a source. */
    @FunctionalInterface
    private interface Read<T> {
        T run() throws IOException;
    }

    /** Adds to what a source says which file it was to give; local directories say themselves what they refuse, and why. */
    private static <T> T reading(FileInfo file, String source, Read<T> read) throws IOException {
        try {
            return read.run();
        } catch (IOException | RuntimeException e) {
            throw new IOException(
                    "file " + file.name() + " could not be fetched from " + source + ": "
                            + StorageFaults.of(e).getMessage()
                            + "; restore from another checkpoint if it is lost",
                    e);
        }
    }
}
