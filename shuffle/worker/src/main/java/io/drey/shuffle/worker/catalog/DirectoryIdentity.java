package io.drey.shuffle.worker.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.drey.foundation.DreyException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.UUID;

/**
 * The identity of a directory, kept in it: its own and its worker's. A lock keeps a second worker out.
 *
 * @param id of the directory: another one after it was emptied
 * @param worker whose directory it is
 * @param lock to be closed by who closes the directory
 */
record DirectoryIdentity(UUID id, UUID worker, FileChannel lock) {
    private static final String FILE = "worker.properties";
    private static final String LOCK = "worker.lock";

    /** @param worker whose directory it has to be; null if it may be of any */
    static DirectoryIdentity open(Path path, UUID worker) throws IOException {
        Files.createDirectories(path);
        FileChannel lock = lock(path);
        boolean sound = false;
        try {
            Path file = path.resolve(FILE);
            Properties identity = Files.exists(file) ? load(file) : create(path, file, worker);
            UUID owner = id(file, identity, "worker");
            if (worker != null && !owner.equals(worker)) {
                throw new DreyException("expected a directory of worker " + worker + ", found that " + path
                        + " belongs to worker " + owner + ": give each worker its own directories");
            }
            DirectoryIdentity found = new DirectoryIdentity(id(file, identity, "directory"), owner, lock);
            sound = true;
            return found;
        } finally {
            if (!sound) {
                lock.close();
            }
        }
    }

    private static Properties load(Path file) throws IOException {
        Properties identity = new Properties();
        try (var in = Files.newBufferedReader(file, UTF_8)) {
            identity.load(in);
        }
        return identity;
    }

    private static Properties create(Path path, Path file, UUID worker) throws IOException {
        Properties identity = new Properties();
        identity.setProperty("directory", UUID.randomUUID().toString());
        identity.setProperty("worker", (worker == null ? UUID.randomUUID() : worker).toString());
        Path draft = path.resolve(FILE + ".new");
        try (var out = Files.newBufferedWriter(draft, UTF_8)) {
            identity.store(out, "The identity of a shuffle worker's directory.");
        }
        Files.move(draft, file);
        return identity;
    }

    private static UUID id(Path file, Properties identity, String name) {
        String text = identity.getProperty(name, "");
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new DreyException(
                    "expected the UUID of the " + name + " in " + file + ", found '" + text
                            + "': empty the directory, its partitions are lost",
                    e);
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean locked;
        try {
            locked = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // This very process has it.
            locked = false;
        }
        if (!locked) {
            channel.close();
            throw new DreyException("expected that no other worker uses " + path
                    + ", found one: stop it, or give this one another directory");
        }
        return channel;
    }
}
