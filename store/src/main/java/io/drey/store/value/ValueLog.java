package io.drey.store.value;

import io.drey.files.ReadableFile;
import io.drey.store.file.FileId;
import java.util.Locale;

/**
 * An opened value log: a file of values and nothing else, immutable, for any number of threads, each with a {@link
 * ValueReader}. Counted by its {@link ValueLogs}: it is closed when {@link #close} was called once for each time that
 * it was opened there.
 */
public final class ValueLog implements AutoCloseable {
    private static final String SUFFIX = ".values";

    private final ValueLogs owner;
    private final ReadableFile file;
    private final FileId id;
    private final String name;
    private final long bytes;
    private final long seed;

    /** Changed by {@link ValueLogs} only, under its lock. */
    int users;

    ValueLog(ValueLogs owner, ReadableFile file, FileId id) {
        this.owner = owner;
        this.file = file;
        this.id = id;
        this.name = file.name();
        this.bytes = file.size();
        this.seed = id.seed();
    }

    /** The name of the file of a log: it follows from the id, which no other log has. */
    public static String name(FileId id) {
        return String.format(Locale.ROOT, "%016x%016x", id.high(), id.low()) + SUFFIX;
    }

    public FileId id() {
        return id;
    }

    public String name() {
        return name;
    }

    /** Bytes of the file. */
    public long bytes() {
        return bytes;
    }

    /** Bytes of its values. */
    public long valueBytes() {
        return bytes - ValueLogLayout.FIRST_OFFSET;
    }

    /** Whether all of it is here. */
    public boolean isWhole() {
        return file.isWhole();
    }

    ReadableFile file() {
        return file;
    }

    long seed() {
        return seed;
    }

    /** One user less; the last one closes the file. */
    @Override
    public void close() {
        owner.close(this);
    }

    @Override
    public String toString() {
        return name();
    }
}
