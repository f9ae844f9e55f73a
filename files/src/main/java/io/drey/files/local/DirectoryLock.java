package io.drey.files.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The sign that a directory is in use: a locked file beside it. A process that was killed holds no lock, so that the
 * next one that uses the same base directory knows what it left, and deletes it. No name is used twice.
 *
 * <ol>
 *   <li>The file has its name when it is locked and before its directory is made, and is deleted after that. Where it
 *       cannot be locked there is none, and nobody deletes.
 *   <li>A process never opens a lock of its own a second time, in whichever class loader: closing that would end the
 *       lock. So the locks of the process are in its system properties.
 *   <li>A lock in the network may not be one for all machines: nothing is deleted there.
 * </ol>
 *
 * Thread safe.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String ENDING = ".lock";

    /** After the name of a file that is not locked yet. */
    private static final String UNLOCKED = ".new";

    private static final String PROPERTY = "drey.directory.lock.";

    /** By one thread each, as two would open the same locks; one that hangs keeps nobody from the others. */
    private static final Set<Path> BASES_IN_CLEANING = ConcurrentHashMap.newKeySet();

    private final Path file;

    /** Null if the directory has no lock of its own. */
    private final FileChannel channel;

    /** Is told what came of directories that killed processes left. */
    public interface Listener {
        default void deleted(Path directory) {}

        /** It cannot be deleted now. */
        default void stays(Path directory, Exception why) {}
    }

    private DirectoryLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Locks a directory that is about to be made; its parent is made, too. */
    public static DirectoryLock take(Path directory) throws IOException {
        Path base = LocalDirectory.make(directory.toAbsolutePath().getParent());
        Path file = base.toRealPath().resolve(directory.getFileName() + ENDING);
        if (System.getProperties().putIfAbsent(property(file), "") != null) {
            // The same directory by another path.
            return new DirectoryLock(file, null);
        }
        Path unlocked = file.resolveSibling(file.getFileName() + UNLOCKED);
        FileChannel channel = null;
        boolean named = false;
        try {
            channel = FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (isLocked(channel)) {
                Files.move(unlocked, file);
                named = true;
            }
            return new DirectoryLock(file, named ? channel : null);
        } finally {
            if (!named) {
                end(unlocked, channel, property(file));
            }
        }
    }

    /** False where the file system knows no locks. */
    private static boolean isLocked(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static String property(Path file) {
        return PROPERTY + file;
    }

    private static void end(Path file, FileChannel channel, String property) throws IOException {
        try {
            Files.deleteIfExists(file);
        } finally {
            release(channel, property);
        }
    }

    private static void release(FileChannel channel, String property) throws IOException {
        try {
            if (channel != null) {
                channel.close();
            }
        } finally {
            System.clearProperty(property);
        }
    }

    /**
     * Deletes the directories in a base directory whose processes have ended without doing so, unless another thread
     * does; never fails.
     */
    public static void deleteAbandoned(Path base, String prefix, Listener listener) {
        Path key = base.toAbsolutePath().normalize();
        if (BASES_IN_CLEANING.add(key)) {
            try {
                deleteAllAbandoned(base, prefix, listener);
            } finally {
                BASES_IN_CLEANING.remove(key);
            }
        }
    }

    private static void deleteAllAbandoned(Path base, String prefix, Listener listener) {
        if (!Files.isDirectory(base)) {
            return;
        }
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(base.toRealPath(), prefix + "*" + ENDING)) {
            boolean isAsked = false;
            for (Path lock : locks) {
                if (System.getProperty(property(lock)) == null) {
                    if (!isAsked && isInNetwork(base)) {
                        return;
                    }
                    isAsked = true;
                    deleteIfAbandoned(lock, listener);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            listener.stays(base, e);
        }
    }

    private static boolean isInNetwork(Path base) throws IOException {
        return LocalDirectory.isInNetwork(Files.getFileStore(base).type());
    }

    private static void deleteIfAbandoned(Path lock, Listener listener) {
        String name = lock.getFileName().toString();
        Path directory = lock.resolveSibling(name.substring(0, name.length() - ENDING.length()));
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) {
                delete(directory);
                Files.delete(lock);
                listener.deleted(directory);
            }
        } catch (NoSuchFileException | AccessDeniedException | OverlappingFileLockException e) {
            // Somebody else's, or somebody else deletes it just now.
            return;
        } catch (IOException e) {
            listener.stays(directory, e);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.notExists(directory)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> files = Files.walk(directory)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }

    /** Leaves a directory that could not be deleted to the next process. */
    public void abandon() throws IOException {
        if (channel != null) {
            release(channel, property(file));
        }
    }

    /** After the directory was deleted. */
    @Override
    public void close() throws IOException {
        if (channel != null) {
            end(file, channel, property(file));
        }
    }
}
