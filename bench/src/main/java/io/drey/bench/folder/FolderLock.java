package io.drey.bench.folder;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A folder that this run has to itself; another process that ends by whatever cause has it no more. */
public final class FolderLock implements AutoCloseable {
    private static final String NAME = "in-use";

    private final Path file;
    private final FileChannel channel;

    private FolderLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** @throws IOException also if another run has it */
    public static FolderLock take(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            taken = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            taken = false;
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        if (!taken) {
            throw new IOException("expected " + folder + " not to be in use, found that another run works there:"
                    + " wait for its end, or name another folder with --work-dir");
        }
        return new FolderLock(file, channel);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
        channel.close();
    }
}
