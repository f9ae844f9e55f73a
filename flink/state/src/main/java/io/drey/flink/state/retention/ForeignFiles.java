package io.drey.flink.state.retention;

import io.drey.checkpoint.retention.Claim;
import io.drey.checkpoint.retention.SharedName;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.core.fs.EntropyInjectingFileSystem;
import org.apache.flink.core.fs.EntropyInjector;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StateObject;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.util.WrappingProxy;
import org.apache.flink.util.WrappingProxyUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restored files that lie in other jobs' directories, where other jobs' checkpoints may not list them any more. Before a
 * checkpoint here lists them, a {@link Claim} there says so; what cannot be claimed is uploaded again. Thread safe; only
 * {@link #claim} waits for the storage.
 */
public final class ForeignFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignFiles.class);

    /** Jobs one after another, each restored from the one before; where files have entropy they are in many more. */
    private static final int DIRECTORIES_MAX = 16;

    /** Of restored files with names of Drey. */
    private final Set<Path> directories = new HashSet<>();

    private final Set<Path> listable = new HashSet<>();
    private boolean decided;

    /** Guarded by {@link #claiming}. */
    private boolean isOwnKnown;

    /** Held while files are written, which others may wait for who want them written. */
    private final Object claiming = new Object();

    public ForeignFiles(Collection<StreamStateHandle> restored) {
        for (StreamStateHandle handle : restored) {
            add(directory(handle));
        }
    }

    private void add(Path directory) {
        if (directory != null) {
            directories.add(directory);
        }
    }

    /** The directory of a file whose name says that Drey may delete it some day, or null. */
    private static Path directory(StreamStateHandle handle) {
        return handle instanceof FileStateHandle file ? directory(file.getFilePath()) : null;
    }

    private static Path directory(Path file) {
        return SharedName.parse(file.getName()) == null ? null : file.getParent();
    }

    /** No checkpoint will list restored files. */
    public synchronized void forget() {
        decided = true;
    }

    /** Whether a checkpoint may list a file: it is this job's, or claimed. */
    public synchronized boolean mayList(StreamStateHandle handle) {
        Path directory = directory(handle);
        return directory == null || !directories.contains(directory) || listable.contains(directory);
    }

    /** Claims what is not the job's own, once unless it is interrupted, before a checkpoint could list it. */
    public void claim(CheckpointStreamFactory streams) {
        synchronized (claiming) {
            if (streams instanceof FsCheckpointStreamFactory files) {
                Path own = files.getTargetPath(CheckpointedStateScope.SHARED);
                if (!isDecided()) {
                    allow(claimed(own));
                }
                if (!isOwnKnown) {
                    isOwnKnown = true;
                    // Also if restored files are there that may not be listed: new ones come to lie beside them.
                    allow(directories.stream().filter(each -> isSame(each, own)).collect(Collectors.toSet()));
                }
            }
        }
    }

    /**
     * Claims what Flink's changelog lists until it is materialized, without asking.
     *
     * @param own the directory of the job's shared files
     */
    public static void claim(Collection<? extends StateObject> restored, Path own) {
        ForeignFiles files = new ForeignFiles(List.of());
        ListedFiles.paths(restored).forEach(path -> files.add(directory(new Path(path))));
        files.claimed(own);
    }

    private synchronized boolean isDecided() {
        return decided;
    }

    private synchronized void allow(Set<Path> claimed) {
        decided = true;
        listable.addAll(claimed);
    }

    /** The directories of which files may be listed. */
    private Set<Path> claimed(Path own) {
        Pattern spread = spread(own);
        Set<Path> others = new HashSet<>(directories);
        Set<Path> claimed = new HashSet<>();
        if (spread != null) {
            others.removeIf(directory -> spread.matcher(directory.toString()).matches());
            claimed.addAll(directories);
            claimed.removeAll(others);
        }
        if (others.size() <= DIRECTORIES_MAX) {
            others.stream().filter(directory -> claim(directory, own)).forEach(claimed::add);
        } else if (spread != null) {
            claimed.addAll(others);
        }
        return claimed;
    }

    /**
     * The directories over which entropy spreads the files of this job and of others in the same place; null without.
     * Nobody can list such directories, so nobody cleans them up, and claims there would only stay.
     */
    private static Pattern spread(Path own) {
        try {
            FileSystem found = own.getFileSystem();
            if (EntropyInjector.isEntropyInjecting(found, own)
                    && strip(found) instanceof EntropyInjectingFileSystem entropy) {
                return spread(own, entropy.getEntropyInjectionKey());
            }
        } catch (IOException e) {
            LOG.warn("The file system of {} does not answer", own, e);
        }
        return null;
    }

    /** The job's part of a path is any job's, unless the key is in it or behind it. */
    private static Pattern spread(Path own, String key) {
        Path base = own.getParent().getParent();
        boolean ofAllJobs = base != null && base.toString().contains(key);
        String place = ofAllJobs ? base.toString() : own.toString();
        int at = place.indexOf(key);
        return Pattern.compile(Pattern.quote(place.substring(0, at)) + "[^/]+"
                + Pattern.quote(place.substring(at + key.length()))
                + (ofAllJobs ? "/[^/]+/" + Pattern.quote(own.getName()) : ""));
    }

    /** The file system itself, without what Flink puts around it. */
    @SuppressWarnings("unchecked")
    private static FileSystem strip(FileSystem fileSystem) {
        return fileSystem instanceof WrappingProxy<?> wrapped
                ? WrappingProxyUtil.stripProxy((WrappingProxy<FileSystem>) wrapped)
                : fileSystem;
    }

    private static boolean isSame(Path directory, Path own) {
        try {
            return qualified(directory).equals(owner(own));
        } catch (IOException e) {
            LOG.warn("The file system of {} or {} does not answer", directory, own, e);
            return false;
        }
    }

    /** Meta data lies where there is no entropy in the path. */
    private static Path owner(Path own) throws IOException {
        return qualified(EntropyInjector.removeEntropyMarkerIfPresent(own.getFileSystem(), own));
    }

    private static boolean claim(Path directory, Path own) {
        try {
            Path owner = owner(own);
            FileSystem fileSystem = directory.getFileSystem();
            if (!qualified(directory).equals(owner)) {
                Claim claim = new Claim(owner.getParent().toString());
                write(fileSystem, new Path(directory, claim.name()), claim.bytes());
            }
            return true;
        } catch (IOException | RuntimeException e) {
            if (isInterruption(e)) {
                throw new UncheckedIOException(new IOException("interrupted at the claim of " + directory, e));
            }
            LOG.warn(
                    "Files of {}, which was restored from, cannot be claimed: those of state are uploaded to {} again, those"
                            + " of a changelog have to stay there",
                    directory,
                    own,
                    e);
            return false;
        }
    }

    /**
     * Whether the checkpoint was aborted. A timeout of the storage is none, also within what says only that the call was
     * interrupted, as S3A does if no connection becomes free.
     */
    private static boolean isInterruption(Exception e) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        for (Throwable each = e; each != null && !interrupted; each = each.getCause()) {
            if (each instanceof InterruptedIOException && each.getClass() != InterruptedIOException.class) {
                return false;
            }
            interrupted = each instanceof InterruptedException || each instanceof ClosedByInterruptException;
        }
        return interrupted || e instanceof InterruptedIOException;
    }

    /** One directory may be written in several ways. */
    private static Path qualified(Path directory) throws IOException {
        return new Path(directory.toString()).makeQualified(directory.getFileSystem());
    }

    /** Sees to it that a file is there, and not a part of it, which an interrupted write may have left. */
    private static void write(FileSystem fileSystem, Path file, byte[] bytes) throws IOException {
        if (fileSystem.exists(file) && fileSystem.getFileStatus(file).getLen() == bytes.length) {
            return;
        }
        try (FSDataOutputStream out = fileSystem.create(file, WriteMode.OVERWRITE)) {
            out.write(bytes);
            out.sync();
        } catch (IOException e) {
            // Another subtask of the job writes the same.
            if (isInterruption(e) || !fileSystem.exists(file)) {
                throw e;
            }
        }
    }
}
