package io.drey.store.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.drey.foundation.Arena;
import io.drey.foundation.Overdraft;
import io.drey.store.entry.EntryCursor;
import io.drey.store.entry.EntryKey;
import io.drey.store.entry.EntryKind;
import io.drey.store.file.FileId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs that hold a map of many pages of the index. */
class LargeRowTest {
    private static final byte[] NONE = new byte[0];
    private static final byte[] HUGE = "huge".getBytes(StandardCharsets.UTF_8);
    private static final long PREFIX = TestEntry.key(2, 3, HUGE, NONE, null).prefix();

    private static TestEntry entry(EntryKey key) {
        return new TestEntry(TestEntry.address(key), EntryKind.VALUE, new byte[20]);
    }

    private static List<TestEntry> map(int entries) {
        List<TestEntry> map = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            byte[] mapKey = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
            map.add(entry(TestEntry.key(2, 3, HUGE, NONE, mapKey)));
        }
        return map;
    }

    @Test
    void aViewThatBeginsOrEndsAtALargeMapCountsItOrNot() throws IOException {
        List<TestEntry> entries = new ArrayList<>(List.of(entry(TestEntry.key(1, 3, HUGE, NONE, null))));
        entries.addAll(map(50_000));
        try (TestRuns runs = new TestRuns(16 << 20, 16 << 10);
                Run run = runs.write(entries, RunOptions.of(256, 1 << 10))) {
            RunView all = RunView.of(run);
            assertThat(run.index().pages()).isGreaterThan(10);
            assertThat(all.clipPrefixes(PREFIX, RunView.NO_END).bytes()).isGreaterThan(all.bytes() * 9 / 10);
            assertThat(all.clipPrefixes(0, PREFIX).bytes()).isLessThan(all.bytes() / 10);
        }
    }

    /** It is in memory until the run ends, and a map is in one run. */
    @Test
    void theIndexOfALargeMapFitsWhatMayBeBorrowed() throws IOException {
        try (TestRuns runs = new TestRuns(1 << 20, 4 << 10)) {
            Arena arena = new Arena(1 << 20, 4 << 10);
            RunMemory memory = new RunMemory(arena, new Overdraft(1 << 20));
            RunWriter writer =
                    new RunWriter(runs.directory.create("run"), FileId.random(), RunOptions.of(128, 4 << 10), memory);
            try (EntryCursor cursor = new TestCursor(map(600_000))) {
                while (cursor.next()) {
                    writer.add(cursor);
                }
            }
            assertThat(writer.finish().entries()).isEqualTo(600_000);
            assertThat(memory.overdraft().bytes()).isZero();
            arena.close();
        }
    }
}
