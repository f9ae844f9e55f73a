package io.drey.shuffle.worker.catalog;

import io.drey.foundation.DreyException;
import io.drey.shuffle.worker.disk.WorkerDisk;
import io.drey.shuffle.worker.disk.WorkerFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import java.util.UUID;

/**
 * The identity of a directory, kept in it: its own and its worker's. A lock keeps a second worker out.
 *
 * @param id of the directory: another one after it was emptied
 * @param worker whose directory it is
 * @param lock to be closed by who closes the directory
 */
record DirectoryIdentity(UUID id, UUID worker, Closeable lock) {
    private static final String FILE = "worker.properties";
    private static final String LOCK = "worker.lock";

    /** Whose directory it is; null if it is of nobody yet. */
    static UUID worker(WorkerDisk disk, Path path) throws IOException {
        Path file = path.resolve(FILE);
        return disk.list(path).contains(file) ? id(file, load(disk, file), "worker") : null;
    }

    /** @param worker whose directory it has to be, if it is not of nobody */
    static DirectoryIdentity open(WorkerDisk disk, Path path, UUID worker) throws IOException {
        Closeable lock = disk.lock(path.resolve(LOCK));
        if (lock == null) {
            throw new DreyException("expected that no other worker uses " + path
                    + ", found one: stop it, or give this one another directory");
        }
        boolean sound = false;
        try {
            Path file = path.resolve(FILE);
            Properties identity = disk.list(path).contains(file) ? load(disk, file) : create(disk, file, worker);
            UUID owner = id(file, identity, "worker");
            if (!owner.equals(worker)) {
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

    private static Properties load(WorkerDisk disk, Path file) throws IOException {
        Properties identity = new Properties();
        identity.load(new ByteArrayInputStream(WorkerFile.readAll(disk, file)));
        return identity;
    }

    private static Properties create(WorkerDisk disk, Path file, UUID worker) throws IOException {
        Properties identity = new Properties();
        identity.setProperty("directory", UUID.randomUUID().toString());
        identity.setProperty("worker", worker.toString());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        identity.store(bytes, "The identity of a shuffle worker's directory.");
        WorkerFile.replace(disk, file, bytes.toByteArray());
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
}
