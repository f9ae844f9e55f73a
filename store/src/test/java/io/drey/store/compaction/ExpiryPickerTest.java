package io.drey.store.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.store.block.Compression;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKind;
import io.drey.store.entry.Expiries;
import io.drey.store.entry.TimestampExpiry;
import io.drey.store.file.FileId;
import io.drey.store.run.Run;
import io.drey.store.run.RunOptions;
import io.drey.store.run.RunView;
import io.drey.store.run.RunWriter;
import io.drey.store.run.TestCursor;
import io.drey.store.run.TestEntry;
import io.drey.store.run.TestRuns;
import io.drey.store.version.Version;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which views go without being read, and which are worth rewriting, by a clock that the test sets. */
class ExpiryPickerTest {
    private static final RunOptions OPTIONS = new RunOptions(128, 4096, 4096, Compression.NONE);
    private static final CompactionLimits LIMITS = new CompactionLimits(8, 4, 6, 25, 1 << 20, 1 << 21);
    private static final int TIMED = 1;
    private static final int UNTIMED = 2;
    private static final int ENTRIES = 40;

    private final TestRuns runs = new TestRuns(4 << 20, 1024);
    private final List<Run> open = new ArrayList<>();
    private final Expiries expiries = new Expiries();
    private long now;

    @BeforeEach
    void tableOneExpiresAfterTen() {
        expiries.set(TIMED, new TimestampExpiry(0, 10, () -> now));
    }

    @AfterEach
    void close() {
        open.forEach(Run::close);
        runs.close();
    }

    private interface Access {
        long of(int entry);
    }

    /** Entries of a table, in order, with values that begin with these times. */
    private static List<TestEntry> entries(int table, byte kind, Access access) {
        TreeMap<TestEntry.Address, TestEntry> entries = new TreeMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            byte[] key = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
            TestEntry.Address address = TestEntry.address(TestEntry.key(table, 0, key, new byte[0], null));
            byte[] value = kind == EntryKind.TOMBSTONE
                    ? new byte[0]
                    : ByteBuffer.allocate(40).putLong(access.of(i)).array();
            entries.put(address, new TestEntry(address, kind, value));
        }
        return List.copyOf(entries.values());
    }

    private static TestEntry at(TestEntry entry, long access) {
        return new TestEntry(
                entry.address(),
                entry.kind(),
                ByteBuffer.allocate(40).putLong(access).array());
    }

    private RunView run(List<TestEntry> entries) throws IOException {
        String name = runs.newName();
        RunWriter writer = new RunWriter(runs.directory.create(name), FileId.random(), OPTIONS, runs.memory());
        long time = now;
        now = 0;
        try (EntryCursor cursor = new ExpiringCursor(new TestCursor(entries), expiries, false)) {
            while (cursor.next()) {
                writer.add(cursor);
            }
        }
        now = time;
        writer.finish();
        Run run = Run.open(runs.directory.open(name), runs.memory(), runs.logs());
        open.add(run);
        return RunView.of(run);
    }

    private static Version version(List<RunView> young, List<RunView> level) {
        return new Version(young, level.isEmpty() ? List.of() : List.of(level));
    }

    private Version dropAt(long time, Version version) {
        now = time;
        CompactionChoice gone = ExpiryPicker.drop(version, expiries, List.of());
        return gone == null ? version : gone.apply(version, List.of());
    }

    @Test
    void aViewOfALevelGoesWithItsLatestEntry() throws IOException {
        Version version = version(List.of(), List.of(run(entries(TIMED, EntryKind.VALUE, i -> i))));
        assertThat(dropAt(ENTRIES + 8, version)).isSameAs(version);
        assertThat(dropAt(ENTRIES + 9, version)).isEqualTo(Version.EMPTY);
    }

    @Test
    void anotherTableThatDoesNotExpireKeepsTheView() throws IOException {
        List<TestEntry> both = new ArrayList<>(entries(TIMED, EntryKind.VALUE, i -> 0));
        both.addAll(entries(UNTIMED, EntryKind.VALUE, i -> 0));
        Version version = version(List.of(), List.of(run(both)));
        assertThat(dropAt(1000, version)).isSameAs(version);
        expiries.set(TIMED, null);
        assertThat(dropAt(1000, version)).isSameAs(version);
    }

    @Test
    void whatWasWrittenBeforeItsTableExpiredIsKept() throws IOException {
        Version version = version(List.of(), List.of(run(entries(UNTIMED, EntryKind.VALUE, i -> 0))));
        expiries.set(UNTIMED, new TimestampExpiry(0, 10, () -> now));
        assertThat(dropAt(1000, version)).isSameAs(version);
    }

    @Test
    void youngViewsGoFromTheOldestWhenNoLevelIsLeft() throws IOException {
        RunView fresh = run(entries(TIMED, EntryKind.VALUE, i -> 500));
        RunView old = run(entries(TIMED, EntryKind.APPEND, i -> 0));
        RunView tombstones = run(entries(UNTIMED, EntryKind.TOMBSTONE, i -> 0));
        assertThat(dropAt(100, version(List.of(fresh, old, tombstones), List.of())))
                .isEqualTo(version(List.of(fresh), List.of()));
        Version hidden = version(List.of(old, fresh), List.of());
        assertThat(dropAt(100, hidden)).as("it hides older ones").isSameAs(hidden);
        Version above = version(List.of(old), List.of(fresh));
        assertThat(dropAt(100, above)).isSameAs(above);
        assertThat(dropAt(100, version(List.of(fresh, old), List.of(old))))
                .isEqualTo(version(List.of(fresh), List.of()));
    }

    @Test
    void whatACompactionInProgressReadsStays() throws IOException {
        RunView old = run(entries(TIMED, EntryKind.VALUE, i -> 0));
        now = 1000;
        for (Version version : List.of(version(List.of(old), List.of()), version(List.of(), List.of(old)))) {
            assertThat(ExpiryPicker.drop(version, expiries, List.of(major(version, RunView.NO_END))))
                    .isNull();
        }
    }

    /** Its outputs take a place among these views, of which nothing is in its range. */
    @Test
    void whatACompactionInProgressLeavesForItsNextPartStays() throws IOException {
        RunView old = run(entries(TIMED, EntryKind.VALUE, i -> 0));
        now = 1000;
        for (Version version : List.of(version(List.of(old), List.of()), version(List.of(), List.of(old)))) {
            CompactionChoice before = major(version, old.firstPrefix());
            assertThat(before.inputs()).isEmpty();
            assertThat(ExpiryPicker.drop(version, expiries, List.of(before))).isNull();
        }
    }

    @Test
    void whatACompactionOfYoungViewsDoesNotTouchGoes() throws IOException {
        RunView fresh = run(entries(TIMED, EntryKind.VALUE, i -> 0));
        RunView old = run(entries(TIMED, EntryKind.VALUE, i -> 0));
        now = 1000;
        CompactionChoice among =
                new CompactionChoice(List.of(fresh), List.of(), 0, RunView.NO_END, CompactionChoice.Kind.YOUNG);
        for (Version version :
                List.of(version(List.of(fresh, old), List.of()), version(List.of(fresh), List.of(old)))) {
            CompactionChoice gone = ExpiryPicker.drop(version, expiries, List.of(among));
            assertThat(gone.apply(version, List.of())).isEqualTo(version(List.of(fresh), List.of()));
        }
    }

    private static CompactionChoice major(Version version, long prefixTo) {
        return new CompactionChoice(version.young(), version.levels(), 0, prefixTo, CompactionChoice.Kind.MAJOR);
    }

    @Test
    void neighboursOfWhichHalfHasExpiredAreRewrittenTogether() throws IOException {
        List<TestEntry> all = entries(TIMED, EntryKind.VALUE, i -> 0);
        List<RunView> level = new ArrayList<>();
        for (int part = 0; part < 4; part++) {
            boolean late = part == 3;
            List<TestEntry> entries = new ArrayList<>();
            for (int i = part * 10; i < part * 10 + 10; i++) {
                entries.add(late || i % 2 == 0 ? at(all.get(i), 900) : all.get(i));
            }
            level.add(run(entries));
        }
        Version version = version(List.of(), level);
        now = 9;
        assertThat(ExpiryPicker.rewrite(version, expiries, LIMITS, Long.MAX_VALUE))
                .isNull();
        now = 100;
        CompactionChoice choice = ExpiryPicker.rewrite(version, expiries, LIMITS, Long.MAX_VALUE);
        assertThat(choice).isNotNull();
        assertThat(choice.bottom()).isTrue();
        List<RunView> inputs = choice.inputs().get(0);
        assertThat(inputs)
                .isNotEmpty()
                .allMatch(view -> view.run() != level.get(3).run());
        assertThat(choice.inputs()).hasSize(1);
        CompactionChoice first =
                ExpiryPicker.rewrite(version, expiries, LIMITS, level.get(0).bytes());
        assertThat(first.inputs().get(0))
                .as("of which there is room for one only")
                .hasSizeLessThan(inputs.size())
                .isNotEmpty();
    }

    @Test
    void aRunOfWhichLittleHasExpiredIsNotRewritten() throws IOException {
        Version version = version(List.of(), List.of(run(entries(TIMED, EntryKind.VALUE, i -> i < 10 ? 0 : 900))));
        now = 100;
        assertThat(ExpiryPicker.rewrite(version, expiries, LIMITS, Long.MAX_VALUE))
                .isNull();
        List<TestEntry> both = new ArrayList<>(entries(TIMED, EntryKind.VALUE, i -> i % 3 == 0 ? 900 : 0));
        both.addAll(entries(UNTIMED, EntryKind.VALUE, i -> 0));
        assertThat(ExpiryPicker.rewrite(version(List.of(), List.of(run(both))), expiries, LIMITS, Long.MAX_VALUE))
                .isNull();
    }
}
