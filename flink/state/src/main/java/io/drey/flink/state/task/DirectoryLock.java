package io.drey.flink.state.task;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sign that a local directory is in use: a locked file beside it. A process that is killed holds no lock, so that
 * the next one that uses the same base directory knows what it left, and deletes it. Names are never used twice.
 *
 * <ol>
 *   <li>The file has its name when it is locked and before its directory is made, and is deleted after that.
 *   <li>A process never opens a lock of its own a second time, in whichever class loader: closing that would end the
 *       lock. So the locks of the process are in its system properties.
 *   <li>A lock in the network may not be one for all machines: nothing is deleted there.
 * </ol>
 */
final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    private static final String ENDING = ".lock";

    /** After the name of a file that is not locked yet. */
    private static final String UNLOCKED = ".new";

    private static final String PROPERTY = "drey.local-dir.lock.";

    /** Begins of the names of file systems that several machines may share. */
    private static final String NETWORK = "(nfs|cifs|smb|fuse|ceph|gluster|lustre|gpfs|9p|virtiofs|beegfs|afs).*";

    private final Path file;
    private final FileChannel channel;

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Locks a directory that is about to be made. Where the file system knows no locks it is only not deleted. */
    static DirectoryLock take(Path directory) throws IOException {
        Path file = file(directory);
        Files.createDirectories(file.getParent());
        System.setProperty(property(file), "");
        Path unlocked = file.resolveSibling(file.getFileName() + UNLOCKED);
        FileChannel channel = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            lock(channel, unlocked);
            Files.move(unlocked, file);
            taken = true;
            return new DirectoryLock(file, channel);
        } finally {
            if (!taken) {
                System.clearProperty(property(file));
                end(unlocked, channel);
            }
        }
    }

    private static void lock(FileChannel channel, Path file) {
        try {
            if (channel.tryLock() == null) {
                throw new IllegalStateException("expected " + file + ", which is new, to be nobody's, found it locked");
            }
        } catch (IOException e) {
            LOG.debug("{} cannot be locked: what its process may leave is to be deleted by hand", file, e);
        }
    }

    private static Path file(Path directory) {
        return directory.resolveSibling(directory.getFileName() + ENDING).toAbsolutePath();
    }

    private static String property(Path file) {
        return PROPERTY + file.getFileName();
    }

    private static void end(Path file, FileChannel channel) throws IOException {
        try {
            Files.deleteIfExists(file);
        } finally {
            channel.close();
        }
    }

    /** Deletes what processes that have ended without doing so left in a base directory; never fails. */
    static synchronized void deleteAbandoned(Path base, String prefix) {
        if (!Files.isDirectory(base)) {
            return;
        }
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(base, prefix + "*" + ENDING)) {
            for (Path lock : locks) {
                if (System.getProperty(property(lock)) == null && !isShared(base)) {
                    deleteIfAbandoned(lock);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("Could not look for what killed processes left in {}", base, e);
        }
    }

    private static boolean isShared(Path base) throws IOException {
        return Files.getFileStore(base).type().matches(NETWORK);
    }

    private static void deleteIfAbandoned(Path lock) throws IOException {
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            if (channel.tryLock() == null) {
                return;
            }
            String name = lock.getFileName().toString();
            Path directory = lock.resolveSibling(name.substring(0, name.length() - ENDING.length()));
            FileUtils.deleteDirectory(directory.toFile());
            Files.delete(lock);
            LOG.info("Deleted {}, which a process that was killed has left.", directory);
        } catch (NoSuchFileException | AccessDeniedException | OverlappingFileLockException e) {
            LOG.debug("{} is left to others", lock, e);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }

    /** After the directory was deleted. */
    @Override
    public void close() throws IOException {
        try {
            end(file, channel);
        } finally {
            System.clearProperty(property(file));
        }
    }
}
