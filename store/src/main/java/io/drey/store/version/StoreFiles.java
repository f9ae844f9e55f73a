package io.drey.store.version;

import io.drey.files.Directory;
import io.drey.files.WritableFile;
import io.drey.store.entry.Expiries;
import io.drey.store.entry.LargeLists;
import io.drey.store.file.FileId;
import io.drey.store.file.FileIds;
import io.drey.store.run.Run;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunWriter;
import io.drey.store.stats.Counters;
import io.drey.store.tuning.ValuePlacement;
import io.drey.store.value.ValueLogSet;
import io.drey.store.value.ValueLogs;
import java.io.IOException;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** The files of a store, as its owner and its jobs share them. Thread safe. */
public final class StoreFiles {
    private final Directory directory;
    private final FileIds ids;
    private final RunMemory memory;
    private final RunOptions options;
    private final FileRefs refs;
    private final ValueLogs logs;
    private final ValueLogSet.Sizes logSizes;
    private final Counters counters;
    private final LargeLists lists;
    private final Expiries expiries = new Expiries();
    private final String prefix;
    private final AtomicLong sequence = new AtomicLong();
    private ValuePlacement placement;
    private volatile boolean closing;

    public StoreFiles(
            Directory directory,
            FileIds ids,
            RunMemory memory,
            RunOptions options,
            ValueLogSet.Sizes logSizes,
            Counters counters,
            LargeLists lists) {
        this.directory = directory;
        this.ids = ids;
        this.prefix = HexFormat.of().toHexDigits(ids.next().high());
        this.memory = memory;
        this.options = options;
        this.refs = new FileRefs(directory);
        this.logs = new ValueLogs(directory, memory.arena(), memory.overdraft());
        this.logSizes = logSizes;
        this.counters = counters;
        this.lists = lists;
    }

    public Directory directory() {
        return directory;
    }

    public RunMemory memory() {
        return memory;
    }

    public RunOptions options() {
        return options;
    }

    public FileRefs refs() {
        return refs;
    }

    /** The value logs that runs of the store point to. */
    public ValueLogs logs() {
        return logs;
    }

    /** Value logs for a job to write. */
    public ValueLogSet newLogs() {
        return newLogs(memory);
    }

    /** The same, with memory to write with. */
    public ValueLogSet newLogs(RunMemory writing) {
        return new ValueLogSet(directory, ids, logSizes, writing.arena(), writing.overdraft());
    }

    /** The sizes of those. */
    public ValueLogSet.Sizes logSizes() {
        return logSizes;
    }

    /** The large lists that are known. */
    public LargeLists lists() {
        return lists;
    }

    /** When the entries of tables expire. */
    public Expiries expiries() {
        return expiries;
    }

    /** Where values go that leave memory. */
    public ValuePlacement placement() {
        return placement;
    }

    /** Set once, before the first job. */
    public void placement(ValuePlacement newPlacement) {
        placement = newPlacement;
    }

    public Counters counters() {
        return counters;
    }

    /** What a file that is about to be written carries inside. */
    public FileId newId() {
        return ids.next();
    }

    /** A name that no file of any store has. */
    public String newName() {
        return prefix + "-" + sequence.incrementAndGet() + ".run";
    }

    public Run open(String name) throws IOException {
        return Run.open(directory.open(name), memory, logs);
    }

    /** Removes what an unfinished job wrote; the cause of its end is on its way already and is not hidden. */
    public void discard(String name, RunWriter writer, WritableFile file) throws IOException {
        try {
            if (writer != null) {
                writer.abort();
            } else {
                file.close();
            }
        } finally {
            directory.delete(name);
        }
    }

    /** Jobs end early from now on. */
    public void closing() {
        closing = true;
    }

    public boolean isClosing() {
        return closing;
    }
}
