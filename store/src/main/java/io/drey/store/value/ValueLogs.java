package io.drey.store.value;

import io.drey.files.Directory;
import io.drey.files.ReadableFile;
import io.drey.foundation.Arena;
import io.drey.foundation.Checksum;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.Overdraft;
import io.drey.foundation.Scratch;
import io.drey.store.file.FileId;
import io.drey.store.file.FileReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** The value logs of a store that are open, each once however many runs point to it. Thread safe. */
public final class ValueLogs {
    private final Directory directory;
    private final Arena arena;
    private final Overdraft overdraft;
    private final Map<FileId, ValueLog> open = new HashMap<>();

    public ValueLogs(Directory directory, Arena arena, Overdraft overdraft) {
        this.directory = directory;
        this.arena = arena;
        this.overdraft = overdraft;
    }

    /** The log of an id, for one more user, who closes it. */
    public synchronized ValueLog open(FileId id) {
        ValueLog log = open.get(id);
        if (log == null) {
            log = read(id);
            open.put(id, log);
        }
        log.users++;
        return log;
    }

    private ValueLog read(FileId id) {
        String name = ValueLog.name(id);
        ReadableFile file = null;
        boolean opened = false;
        try {
            if (!directory.exists(name)) {
                throw new DreyException("expected value log " + name + " in " + directory.describe()
                        + ", found none: restore from another checkpoint");
            }
            file = directory.open(name);
            ValueLog log = check(file, id);
            opened = true;
            return log;
        } catch (IOException e) {
            throw new DreyException(
                    "cannot open value log " + name + " in " + directory.describe() + ": " + e.getMessage(), e);
        } finally {
            if (file != null && !opened) {
                closeFile(file);
            }
        }
    }

    private ValueLog check(ReadableFile file, FileId id) {
        try (Scratch buffer = new Scratch(arena, overdraft)) {
            FileId found = ValueLogLayout.HEADER.read(file, new FileReads(), buffer, new Checksum());
            if (!found.equals(id)) {
                throw new CorruptFileException(file.name(), 0, "the id of its name", found.toString());
            }
            return new ValueLog(this, file, id);
        }
    }

    synchronized void close(ValueLog log) {
        int left = --log.users;
        if (left < 0) {
            throw new IllegalStateException("value log " + log.name() + " was closed once too often");
        }
        if (left == 0) {
            open.remove(log.id());
            closeFile(log.file());
        }
    }

    private static void closeFile(ReadableFile file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
