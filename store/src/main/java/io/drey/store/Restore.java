package io.drey.store;

import io.drey.files.WritableFile;
import io.drey.foundation.DreyException;
import io.drey.store.compaction.RunRewriter;
import io.drey.store.entry.TableInfo;
import io.drey.store.entry.Tables;
import io.drey.store.read.VersionReader;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.run.RunWriter;
import io.drey.store.value.ValueLog;
import io.drey.store.version.FileRefs.Holder;
import io.drey.store.version.StoreFiles;
import io.drey.store.version.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Opens a store on the images that parents left.
 *
 * <ol>
 *   <li>The tables of all parents become the store's. Where parents numbered them differently, the runs of the later
 *       parent are rewritten with the store's numbers.
 *   <li>Each part of a file is clipped to the key groups of its parent and of the store.
 *   <li>The young runs of all parents are put one after another (no key is in two parents), and so are their levels.
 *   <li>Files that nothing refers to are deleted.
 * </ol>
 */
final class Restore {
    private final StoreSettings settings;
    private final StoreFiles files;
    private final Tables tables;
    private final Map<String, Run> opened = new HashMap<>();

    /** Bytes of the value logs of the parent that is being opened, by name. */
    private final Map<String, Long> logBytes = new HashMap<>();

    Restore(StoreSettings settings, StoreFiles files, Tables tables) {
        this.settings = settings;
        this.files = files;
        this.tables = tables;
    }

    void into(VersionReader runs, List<StoreImage> parents) throws IOException {
        try {
            List<RunView> young = new ArrayList<>();
            List<List<RunView>> levels = new ArrayList<>();
            for (StoreImage parent : parents) {
                open(parent, young, levels);
            }
            runs.install(new Version(young, levels));
        } finally {
            files.refs().release(Holder.RESTORE, opened.values());
        }
        deleteUnreferenced(runs);
    }

    private void open(StoreImage parent, List<RunView> young, List<List<RunView>> levels) throws IOException {
        int[] numbers = adopt(parent.tables());
        logBytes.clear();
        parent.logs().forEach(log -> logBytes.put(log.name(), log.bytes()));
        for (RunView view : views(parent, parent.young())) {
            young.addAll(numbers == null ? List.of(view) : rewrite(List.of(view), numbers));
        }
        for (List<StoreImage.Part> level : parent.levels()) {
            List<RunView> views = views(parent, level);
            if (!views.isEmpty()) {
                levels.add(numbers == null ? views : rewrite(views, numbers));
            }
        }
    }

    /** Takes over a parent's tables; null if they keep their numbers, else the store's numbers by the parent's. */
    private int[] adopt(List<TableInfo> parentTables) {
        boolean same = true;
        int[] numbers = new int
                [1 + parentTables.stream().mapToInt(TableInfo::number).max().orElse(0)];
        java.util.Arrays.fill(numbers, -1);
        for (TableInfo table : parentTables) {
            TableInfo known = tables.byName(table.name());
            if (known == null && !tables.hasNumber(table.number())) {
                tables.add(table);
            }
            numbers[table.number()] = tables.numberOf(table.name(), table.kind());
            same &= numbers[table.number()] == table.number();
        }
        return same ? null : numbers;
    }

    private List<RunView> views(StoreImage parent, List<StoreImage.Part> parts) throws IOException {
        List<RunView> views = new ArrayList<>();
        for (StoreImage.Part part : parts) {
            int from = Math.max(part.keyGroupFrom(), Math.max(parent.keyGroupFrom(), settings.keyGroupFrom()));
            int to = Math.min(part.keyGroupTo(), Math.min(parent.keyGroupTo(), settings.keyGroupTo()));
            if (from > to) {
                continue;
            }
            RunView view = new RunView(run(part.file()), from, to, part.prefixFrom(), part.prefixTo());
            if (!view.isEmpty()) {
                views.add(view);
            }
        }
        return views;
    }

    private Run run(StoreImage.FileInfo file) throws IOException {
        Run run = opened.get(file.name());
        if (run == null) {
            if (!files.directory().exists(file.name())) {
                throw new DreyException("expected file " + file.name() + " of " + file.bytes() + " bytes in "
                        + files.directory().describe() + ", found none: restore from another checkpoint");
            }
            run = files.open(file.name());
            opened.put(file.name(), run);
            files.refs().hold(Holder.RESTORE, List.of(run));
            if (run.info().bytes() != file.bytes()) {
                throw new DreyException("expected " + file.bytes() + " bytes in " + file.name() + ", found "
                        + run.info().bytes() + ": restore from another checkpoint");
            }
            run.logs().forEach(this::check);
        }
        return run;
    }

    private void check(ValueLog log) {
        Long expected = logBytes.get(log.name());
        if (expected == null) {
            throw new DreyException("expected value log " + log.name()
                    + " in the image of the store, found none: restore from another checkpoint");
        }
        if (expected != log.bytes()) {
            throw new DreyException("expected " + expected + " bytes in " + log.name() + ", found " + log.bytes()
                    + ": restore from another checkpoint");
        }
    }

    /** A copy of what sorted views without overlaps show, in one run, under the store's numbers of tables. */
    private List<RunView> rewrite(List<RunView> views, int[] numbers) throws IOException {
        String name = files.newName();
        WritableFile file = files.directory().create(name);
        RunWriter writer = null;
        boolean finished = false;
        try (ReadSession session =
                ReadSession.background(files.memory(), files.options().bufferBytes())) {
            writer = new RunWriter(file, files.newId(), files.options(), files.memory());
            RunRewriter.rewrite(views, numbers, session, writer);
            writer.finish();
            finished = true;
        } finally {
            if (!finished) {
                files.discard(name, writer, file);
            }
        }
        Run run = files.open(name);
        opened.put(name, run);
        files.refs().hold(Holder.RESTORE, List.of(run));
        return List.of(RunView.of(run));
    }

    private void deleteUnreferenced(VersionReader runs) throws IOException {
        Set<String> used = new HashSet<>();
        for (Run run : VersionReader.runsOf(runs.version())) {
            used.add(run.info().name());
            run.logs().forEach(log -> used.add(log.name()));
        }
        for (String name : files.directory().list()) {
            if (!used.contains(name)) {
                files.directory().delete(name);
            }
        }
    }
}
