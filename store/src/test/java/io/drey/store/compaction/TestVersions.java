package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.run.ReadSession;
import io.drey.store.run.Run;
import io.drey.store.run.RunView;
import io.drey.store.run.TestCursor;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import io.drey.store.version.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reading a whole version, and what must hold for each. */
final class TestVersions {
    private TestVersions() {}

    static List<RunView> views(Version version) {
        List<RunView> views = new ArrayList<>(version.young());
        version.levels().forEach(views::addAll);
        return views;
    }

    static Set<Run> runs(Version version) {
        Set<Run> runs = new LinkedHashSet<>();
        views(version).forEach(view -> runs.add(view.run()));
        return runs;
    }

    static List<TestEntry> scan(Version version, TestRuns runs, ReadSession session) {
        MergingCursor compacted = new MergingCursor(runs.memory());
        compacted.begin(true);
        for (RunView view : views(version)) {
            compacted.addOlder(view.range(0, RunView.NO_END, session));
        }
        return TestCursor.drain(compacted);
    }

    /** The value of a key, or null. */
    static byte[] find(Version version, EntryKey key, ReadSession session) {
        Deque<byte[]> parts = new ArrayDeque<>();
        for (RunView view : views(version)) {
            byte kind = view.find(key, session);
            if (kind == EntryKind.VALUE || kind == EntryKind.APPEND) {
                parts.addFirst(TestRuns.value(session));
            }
            if (kind != 0 && kind != EntryKind.APPEND) {
                break;
            }
        }
        if (parts.isEmpty()) {
            return null;
        }
        java.io.ByteArrayOutputStream value = new java.io.ByteArrayOutputStream();
        parts.forEach(value::writeBytes);
        return value.toByteArray();
    }

    /** Levels are sorted and free of overlaps; no view is certainly empty. */
    static void check(Version version) {
        for (RunView view : views(version)) {
            assertThat(view.isEmpty()).isFalse();
        }
        for (List<RunView> level : version.levels()) {
            assertThat(level).isNotEmpty();
            for (int i = 1; i < level.size(); i++) {
                assertThat(Long.compareUnsigned(
                                level.get(i - 1).lastPrefix(), level.get(i).firstPrefix()))
                        .isNegative();
            }
        }
    }
}
