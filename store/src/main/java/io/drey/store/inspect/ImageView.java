package io.drey.store.inspect;

import io.drey.files.Directory;
import io.drey.foundation.Arena;
import io.drey.foundation.CorruptFileException;
import io.drey.foundation.DreyException;
import io.drey.foundation.Overdraft;
import io.drey.store.StoreImage;
import io.drey.store.StoreImage.FileInfo;
import io.drey.store.StoreImage.Part;
import io.drey.store.block.BlockLayout;
import io.drey.store.compaction.MergingCursor;
import io.drey.store.entry.DelegatingCursor;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.Expiry;
import io.drey.store.entry.TableInfo;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunInfo;
import io.drey.store.run.RunMemory;
import io.drey.store.run.RunView;
import io.drey.store.run.TableCount;
import io.drey.store.value.ValueLogs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of an image, opened to be looked at beside whoever else uses them: nothing is written or deleted. Memory is
 * bounded: the tops of the runs, some buffers, and the largest value. One thread.
 */
public final class ImageView implements AutoCloseable {
    private static final int PAGE_BYTES = 4 << 10;
    private static final long BUFFER_BYTES = 16L << 20;
    private static final long SIZES_BUFFER_BYTES = 1L << 20;

    /** A value of the largest size as it is stored, and as it is. */
    public static final long BORROWED_BYTES_MAX = 2L * BlockLayout.RAW_BYTES_MAX;

    private static final int READ_AHEAD_BYTES = 64 << 10;

    private final StoreImage image;
    private final Arena arena;
    private final RunMemory memory;
    private final Map<String, Run> runs = new LinkedHashMap<>();

    /** The views of all parts, youngest first. */
    private final List<RunView> views = new ArrayList<>();

    private ImageView(StoreImage image, long bufferBytes) {
        this.image = image;
        this.arena = new Arena(bufferBytes + 2L * PAGE_BYTES * image.parts().size(), PAGE_BYTES);
        this.memory = new RunMemory(arena, new Overdraft(BORROWED_BYTES_MAX));
    }

    /** Opens the runs of an image, and the value logs that they point to, all in one directory. */
    public static ImageView open(Directory directory, StoreImage image) {
        return open(directory, image, BUFFER_BYTES);
    }

    /** The same with small buffers, to be asked for runs and sizes: of a large job thousands are opened. */
    public static ImageView openForSizes(Directory directory, StoreImage image) {
        return open(directory, image, SIZES_BUFFER_BYTES);
    }

    private static ImageView open(Directory directory, StoreImage image, long bufferBytes) {
        ImageView view = new ImageView(image, bufferBytes);
        boolean opened = false;
        try {
            ValueLogs logs = new ValueLogs(directory, view.arena, view.memory.overdraft());
            for (Part part : image.parts()) {
                Run run = view.run(directory, logs, part.file());
                view.views.add(
                        new RunView(run, part.keyGroupFrom(), part.keyGroupTo(), part.prefixFrom(), part.prefixTo()));
            }
            opened = true;
            return view;
        } finally {
            if (!opened) {
                view.close();
            }
        }
    }

    private Run run(Directory directory, ValueLogs logs, FileInfo file) {
        Run known = runs.get(file.name());
        if (known != null) {
            return known;
        }
        Run run;
        try {
            run = Run.open(directory.open(file.name()), memory, logs);
        } catch (IOException e) {
            throw new DreyException(
                    "cannot open run " + file.name() + " in " + directory.describe() + ": " + e.getMessage(), e);
        }
        runs.put(file.name(), run);
        if (run.info().bytes() != file.bytes()) {
            throw new CorruptFileException(
                    file.name(),
                    run.info().bytes(),
                    file.bytes() + " bytes",
                    run.info().bytes() + "");
        }
        return run;
    }

    /** The runs by their names in the image, youngest first. */
    public Map<String, RunInfo> runs() {
        Map<String, RunInfo> infos = new LinkedHashMap<>();
        runs.forEach((name, run) -> infos.put(name, run.info()));
        return infos;
    }

    /** The sizes of all tables, in their order; reads nothing. */
    public List<TableSize> tables() {
        return image.tables().stream().map(this::size).toList();
    }

    private TableSize size(TableInfo table) {
        long entries = 0;
        long untimed = 0;
        long most = -1;
        long median = Expiry.NOTHING;
        for (Run run : runs.values()) {
            for (TableCount count : run.info().tables()) {
                if (count.table() == table.number()) {
                    entries += count.entries();
                    untimed += count.untimed();
                    if (count.entries() > most) {
                        most = count.entries();
                        median = count.medianAccess();
                    }
                }
            }
        }
        long to = EntryKey.prefix(table.number() + 1, 0, 0);
        return new TableSize(table, entries, untimed, bytes(EntryKey.prefix(table.number(), 0, 0), to), median);
    }

    private long bytes(long prefixFrom, long prefixTo) {
        long bytes = 0;
        for (RunView view : views) {
            bytes += view.clipPrefixes(prefixFrom, prefixTo).bytes();
        }
        return bytes;
    }

    /** The live entries of a table in a key group, as values, in hash order; maps in byte order. One at a time. */
    public EntryCursor scan(int table, int keyGroup) {
        ReadSession session = ReadSession.scan(memory, READ_AHEAD_BYTES);
        MergingCursor cursor = new MergingCursor(memory);
        Scan scan = new Scan(cursor, session);
        boolean begun = false;
        try {
            cursor.begin(true);
            for (RunView view : views) {
                cursor.addOlder(view.keyGroups(table, keyGroup, keyGroup, session));
            }
            begun = true;
            return scan;
        } finally {
            if (!begun) {
                scan.close();
            }
        }
    }

    /** Reads all of a run with its values, and throws what is wrong with it first. */
    public void verify(String name) {
        try (ReadSession session = ReadSession.background(memory, READ_AHEAD_BYTES)) {
            RunVerifier.verify(runs.get(name), session);
        }
    }

    @Override
    public void close() {
        runs.values().forEach(Run::close);
        runs.clear();
        arena.close();
    }

    /** A cursor that ends with its session. */
    private static final class Scan extends DelegatingCursor {
        private final ReadSession session;

        Scan(EntryCursor cursor, ReadSession session) {
            super(cursor);
            this.session = session;
        }

        @Override
        public void close() {
            super.close();
            session.close();
        }
    }
}
