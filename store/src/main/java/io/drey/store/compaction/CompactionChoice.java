package io.drey.store.compaction;

import io.drey.store.file.FileId;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.value.ValueLog;
import io.drey.store.version.LogUsage;
import io.drey.store.version.Version;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The runs to compact and the place of the result, or the runs to drop. Until it is carried out, nothing that it is
 * {@link #busyWith} leaves the version in another way.
 *
 * @param young the young views to compact or drop, youngest first, as they stand in the version
 * @param levels all levels of the version if the result goes into the last level, those to drop views of, with these,
 *     if it is a drop, else none
 * @param prefixFrom first prefix compacted
 * @param prefixTo first prefix not compacted, or {@link RunView#NO_END}
 * @param kind where the result goes
 * @param emptied value logs out of which the values that are met move to new ones
 */
public record CompactionChoice(
        List<RunView> young,
        List<List<RunView>> levels,
        long prefixFrom,
        long prefixTo,
        Kind kind,
        List<ValueLog> emptied) {
    /** The kind of work. */
    public enum Kind {
        /** The result takes the place of its inputs among the young. */
        YOUNG,
        /** The result goes into the last level. */
        MAJOR,
        /** The views go without being read. */
        DROP
    }

    public CompactionChoice {
        young = List.copyOf(young);
        levels = levels.stream().map(List::copyOf).toList();
        emptied = List.copyOf(emptied);
    }

    /** A choice that leaves values where they are. */
    public CompactionChoice(
            List<RunView> young, List<List<RunView>> levels, long prefixFrom, long prefixTo, Kind kind) {
        this(young, levels, prefixFrom, prefixTo, kind, List.of());
    }

    /** Views that go without being read, because nothing in them is alive and nothing below them is hidden by them. */
    static CompactionChoice drop(List<RunView> young, List<List<RunView>> levels) {
        return new CompactionChoice(young, levels, 0, RunView.NO_END, Kind.DROP);
    }

    /** Whether the result goes into the last level. */
    public boolean majorCompaction() {
        return kind == Kind.MAJOR;
    }

    /**
     * Whether a run is to be replaced, or is in a level that is: also those of which nothing is in the range, because
     * the outputs take a place among them.
     */
    boolean busyWith(Run run) {
        return young.stream().anyMatch(view -> view.run() == run)
                || levels.stream().flatMap(List::stream).anyMatch(view -> view.run() == run);
    }

    /** The same, emptying value logs on the way. */
    CompactionChoice emptying(List<ValueLog> logs) {
        return new CompactionChoice(young, levels, prefixFrom, prefixTo, kind, logs);
    }

    /** What to compact, youngest first; the views of each are sorted, free of overlaps and clipped to the range. */
    public List<List<RunView>> inputs() {
        List<List<RunView>> inputs = new ArrayList<>();
        for (RunView view : young) {
            addClipped(List.of(view), inputs);
        }
        levels.forEach(level -> addClipped(level, inputs));
        return inputs;
    }

    /** About how many bytes the compaction reads, the values that it moves included. */
    public long bytes() {
        Set<FileId> ids = emptied.stream().map(ValueLog::id).collect(Collectors.toSet());
        return inputs().stream()
                .flatMap(List::stream)
                .mapToLong(view -> view.bytes() + LogUsage.bytesInto(view, ids))
                .sum();
    }

    /** About how many bytes of young views it takes. */
    public long youngBytes() {
        return young.stream()
                .mapToLong(view -> view.clipPrefixes(prefixFrom, prefixTo).bytes())
                .sum();
    }

    /**
     * About how many bytes are still to be compacted after this until the major compaction is over that it is part of;
     * 0 if it is.
     */
    public long bytesAfter() {
        if (!majorCompaction() || prefixTo == RunView.NO_END || bytesAfter(young.stream()) == 0) {
            return 0;
        }
        return bytesAfter(young.stream()) + bytesAfter(levels.stream().flatMap(List::stream));
    }

    private long bytesAfter(Stream<RunView> views) {
        return views.mapToLong(
                        view -> view.clipPrefixes(prefixTo, RunView.NO_END).bytes())
                .sum();
    }

    private void addClipped(List<RunView> views, List<List<RunView>> inputs) {
        List<RunView> clipped = views.stream()
                .map(view -> view.clipPrefixes(prefixFrom, prefixTo))
                .filter(view -> !view.isEmpty())
                .toList();
        if (!clipped.isEmpty()) {
            inputs.add(clipped);
        }
    }

    /**
     * Whether nothing older than the inputs can hold their keys. A major compaction takes everything below its young
     * views; a compaction of young views never does, because it knows nothing of the levels.
     */
    public boolean bottom() {
        return majorCompaction();
    }

    /**
     * The version in which the outputs stand for the inputs. It may be a later one than the choice was made from, as
     * long as only younger runs came to it and no other compact took these inputs.
     */
    public Version apply(Version version, List<Run> outputs) {
        List<RunView> made = outputs.stream().map(RunView::of).toList();
        return switch (kind) {
            case YOUNG -> applyAmongYoung(version, made);
            case MAJOR -> applyMajor(version, made);
            case DROP -> applyDrop(version);
        };
    }

    private Version applyDrop(Version version) {
        List<RunView> views = new ArrayList<>(version.young());
        views.removeAll(young);
        List<List<RunView>> rest = new ArrayList<>();
        for (List<RunView> level : version.levels()) {
            List<RunView> alive = new ArrayList<>(level);
            levels.forEach(alive::removeAll);
            if (!alive.isEmpty()) {
                rest.add(alive);
            }
        }
        return new Version(views, rest);
    }

    private Version applyAmongYoung(Version version, List<RunView> made) {
        List<RunView> views = new ArrayList<>();
        int at = startOfInputs(version);
        views.addAll(version.young().subList(0, at));
        views.addAll(made);
        views.addAll(version.young().subList(at + young.size(), version.young().size()));
        return new Version(views, version.levels());
    }

    private Version applyMajor(Version version, List<RunView> made) {
        int at = startOfInputs(version);
        List<RunView> views = new ArrayList<>(version.young().subList(0, at));
        for (RunView view : young) {
            if (prefixTo != RunView.NO_END) {
                addUnlessEmpty(view.clipPrefixes(prefixTo, RunView.NO_END), views);
            }
        }
        views.addAll(version.young().subList(at + young.size(), version.young().size()));
        List<List<RunView>> rest = new ArrayList<>();
        for (int i = 0; i < Math.max(1, version.levels().size()); i++) {
            List<RunView> level = new ArrayList<>(i == 0 ? made : List.of());
            if (i < version.levels().size()) {
                version.levels().get(i).forEach(view -> addOutsideRange(view, level));
            }
            level.sort(Comparator.comparingLong(view -> view.firstPrefix() + Long.MIN_VALUE));
            if (!level.isEmpty()) {
                rest.add(level);
            }
        }
        return new Version(views, rest);
    }

    /** Where in the version's young views the inputs begin; they are neighbours. */
    private int startOfInputs(Version version) {
        int at = 0;
        while (at + young.size() < version.young().size()
                && !version.young().subList(at, at + young.size()).equals(young)) {
            at++;
        }
        if (!version.young().subList(at, at + young.size()).equals(young)) {
            throw new IllegalStateException("expected the inputs of a compaction in the version that it ends in, found "
                    + version.young() + " without " + young);
        }
        return at;
    }

    private void addOutsideRange(RunView view, List<RunView> into) {
        if (prefixFrom != 0) {
            addUnlessEmpty(view.clipPrefixes(0, prefixFrom), into);
        }
        if (prefixTo != RunView.NO_END) {
            addUnlessEmpty(view.clipPrefixes(prefixTo, RunView.NO_END), into);
        }
    }

    private static void addUnlessEmpty(RunView view, List<RunView> into) {
        if (!view.isEmpty()) {
            into.add(view);
        }
    }
}
